// Weight standardisation: of rows, in a linear layer and in a convolution.
#include "nn/norm/weight_standard.h"

#include "nn/convolution/conv2d.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const TensorFunction weight_standard = [](const Tensors& in) { return nn::weight_standard(in[0]); };

}  // namespace

TEST_CASE("norm-weight-standard: the fast path is the formula, of matrices and of filters") {
  const TensorFunction formula = [](const Tensors& in) { return nn::formula::weight_standard(in[0], 1e-5); };
  CHECK(check_fused("weight_standard", weight_standard, formula, {draw({3, 4}, 3)}) == "");
  CHECK(check_fused("weight_standard of filters", weight_standard, formula, {draw({2, 3, 2, 2}, 4)}) == "");
}

TEST_CASE("norm-weight-standard: a standardised convolution's values and gradients are those of transformers") {
  CHECK(against_pytorch(
            "weight_standard", [](const Tensors& in) { return nn::conv2d(in[0], nn::weight_standard(in[1], 1e-6)); },
            "published.safetensors") == "");
}

TEST_CASE("norm-weight-standard: rows have mean 0 and variance 1, whatever W's; dL/dW has mean 0 and is at right angles to W") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor weight = draw(some_shape(seed), seed).set_requires_grad(), g = draw(weight.shape(), seed + 50);
    const Tensor w = nn::weight_standard(weight, 0);
    const Tensor zero = zeros({weight.size(0)}, DType::f64);
    CHECK(difference(mean(w, -1), zero, 1e-13) == "");
    CHECK(difference(var(w, -1, 0), ones({weight.size(0)}, DType::f64), 1e-12) == "");
    CHECK(difference(nn::weight_standard(3 * weight + 2, 0), w, 1e-11) == "");
    const Tensor by_weight = gradient(w, weight, g);
    const double size = max(abs(by_weight)).item() * static_cast<double>(weight.size(1));
    CHECK(max(abs(sum(by_weight, -1))).item() <= 1e-12 * (1 + size));
    CHECK(max(abs(sum(by_weight * weight, -1))).item() <= 1e-12 * (1 + size) * (1 + max(abs(weight)).item()));
  }
}

TEST_CASE("convention-weight-standard-deviation: the authors' code divides by the unbiased σ + ε: smaller by √((n - 1) / n) as ε → 0") {
  const Tensor weight = draw({3, 5}, 3);
  const Tensor unbiased = centered(weight, -1) / (sqrt(var(weight, -1, 1, true)) + 1e-12);
  CHECK(difference(unbiased, nn::weight_standard(weight, 0) * std::sqrt(4.0 / 5), 1e-10) == "");
}

TEST_CASE("norm-weight-standard: in a linear layer each row has a gain, from 1/√in; in a convolution it is an option") {
  nn::WeightStandardLinear layer(6, 4);
  const Tensor x = randn({3, 6});
  CHECK(difference(layer(x), nn::linear(x, nn::weight_standard(layer.weight) / std::sqrt(6.0), layer.bias), 1e-6) == "");
  layer.gain.assign(tensor({1, 2, 3, 4}));
  CHECK(difference(layer(x), nn::linear(x, nn::weight_standard(layer.weight) * tensor({{1}, {2}, {3}, {4}}), layer.bias), 1e-6) == "");
  CHECK(layer.describe() == "WeightStandardLinear(6 -> 4)");
  const nn::LayerPtr row = nn::feed_forwards().find("relu-weight-standard").value({.d_model = 4, .d_ff = 6});
  CHECK(row->parameter_count() == 2 * 4 * 6 + 2 * 6 + 2 * 4);  // weights; biases and gains of both maps

  nn::Conv2d conv(2, 3, 2, {.standardise = true}), plain(2, 3, 2);
  plain.weight.assign(nn::weight_standard(conv.weight).detach());
  plain.bias.assign(conv.bias.detach());
  const Tensor image = randn({1, 2, 4, 4});
  CHECK(equal(conv(image), plain(image)));
  CHECK(conv.describe() == "Conv2d(2 -> 3, 2 × 2, standardised)");
  CHECK(grad({sum(square(conv(image)))}, {conv.weight})[0].shape() == conv.weight.shape());
}
