#include "core/inspect/compare.h"
#include "nn/norm/layer_norm_variants.h"

#include "core/inspect/anomaly.h"
#include "nn/norm/layer_norm.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const TensorFunction layer_std = [](const Tensors& in) { return nn::layer_norm_std(in[0], in[1], in[2]); };
const TensorFunction center_only = [](const Tensors& in) { return nn::center_only_norm(in[0], in[1], in[2]); };
const TensorFunction scale_only = [](const Tensors& in) { return nn::scale_only_norm(in[0], in[1]); };

}  // namespace

TEST_CASE("norm-layer-std, norm-center-only, norm-scale-only: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("layer_norm_std", layer_std) == "");
  CHECK(norm_against_pytorch("center_only_norm", center_only) == "");
  CHECK(norm_against_pytorch("scale_only_norm", scale_only) == "");
}

TEST_CASE("norm-layer-std, norm-center-only, norm-scale-only: derivatives equal differences") {
  const Tensors inputs{draw({2, 3, 5}, 3), draw({5}, 4), draw({5}, 5)};
  CHECK(check_derivatives(layer_std, inputs) == "");
  CHECK(check_derivatives(center_only, inputs) == "");
  CHECK(check_derivatives(scale_only, {inputs[0], inputs[1]}) == "");
  const auto form = [](nn::DeviationForm f) { return [=](const Tensors& in) { return nn::layer_norm_std(in[0], {}, {}, 0.1, f); }; };
  CHECK(check_derivatives(form({.unbiased = false}), {inputs[0]}) == "");
  CHECK(check_derivatives(form({.eps_outside = false}), {inputs[0]}) == "");
}

TEST_CASE("norm-layer-std, erratum-5: with biased deviation and ε inside it is norm-layer, and not otherwise") {
  const Tensor x = draw({4, 6}, 3), gain = draw({6}, 4), bias = draw({6}, 5);
  const Tensor y = nn::layer_norm_std(x, gain, bias, 1e-2, {.unbiased = false, .eps_outside = false});
  CHECK(difference(y, nn::layer_norm(x, {6}, gain, bias, 1e-2), 1e-14) == "");
  // Otherwise each divides x - μ by a deviation of its own.
  const Tensor std_deviation = sqrt(var(x, -1, 1, true)) + 1e-6, deviation = sqrt(var(x, -1, 0, true) + 1e-5);
  CHECK(difference(nn::layer_norm_std(x) * std_deviation, nn::layer_norm(x, {6}) * deviation, 1e-13) == "");
}

TEST_CASE("norm-layer-std: a constant row gives β, and dL/dx = (g - mean g) / ε: the deviation's derivative at 0 is 0") {
  const Tensor x = constant({1, 3}, 7).set_requires_grad(), g = draw({1, 3}, 3);
  const Tensor y = nn::layer_norm_std(x, {}, constant({3}, 0.5), 0.1);
  CHECK(equal(y.detach(), constant({1, 3}, 0.5)));
  CHECK(difference(gradient(y, x, g), nn::center_only_norm(g) / 0.1, 1e-14) == "");
}

TEST_CASE("norm-layer-std: of a constant row no step makes a NaN or an Inf, forward or backward") {
  const inspect::AnomalyMode careful;
  const Tensor x = constant({1, 3}, 7).set_requires_grad();
  CHECK_NOTHROW(gradient(nn::layer_norm_std(x), x, draw({1, 3}, 3)));
}

TEST_CASE("norm-center-only: shifts do not matter, scale does; norm-scale-only after it is norm-layer") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Tensor x = draw(some_shape(seed), seed);
    CHECK(difference(nn::center_only_norm(x + 3), nn::center_only_norm(x), 1e-13) == "");
    CHECK(difference(nn::center_only_norm(3 * x), 3 * nn::center_only_norm(x), 1e-13) == "");
    CHECK(difference(nn::scale_only_norm(-3 * x, {}, 0), -nn::scale_only_norm(x, {}, 0), 1e-13) == "");
    CHECK(max_difference(nn::scale_only_norm(x + 3), nn::scale_only_norm(x)) > 0.1);
    CHECK(difference(nn::scale_only_norm(nn::center_only_norm(x)), nn::layer_norm(x, {x.size(-1)}), 1e-13) == "");
  }
}

TEST_CASE("norm-layer-std, norm-center-only, norm-scale-only: modules and errors") {
  const Tensor x = cast(draw({2, 6}, 3), DType::f32);
  nn::LayerNormStd layer_norm_std(6);
  nn::CenterOnlyNorm centered(6);
  nn::ScaleOnlyNorm scaled(6);
  CHECK(equal(layer_norm_std(x), nn::layer_norm_std(x)));
  CHECK(equal(centered(x), nn::center_only_norm(x)));
  CHECK(equal(scaled(x), nn::scale_only_norm(x)));
  CHECK(layer_norm_std.describe() == "LayerNormStd(6, eps 1e-06)");
  CHECK(layer_norm_std.parameter_count() == 12);
  CHECK(scaled.parameter_count() == 6);
  CHECK_THROWS_WITH_AS(nn::LayerNormStd(1), "LayerNormStd: the unbiased deviation needs a width of 2 or more, got 1", ValueError);
  CHECK_THROWS_WITH_AS(nn::LayerNormStd(4, {.eps = -1}), "LayerNormStd: eps must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::CenterOnlyNorm(0), "CenterOnlyNorm: the width must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(centered(zeros({2, 5})), "CenterOnlyNorm(6, eps 0): expected [..., 6], got [2, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::layer_norm_std(zeros({3, 1})), "layer_norm_std: needs at least two values along the last axis, got shape [3, 1]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::scale_only_norm(tensor(1)), "scale_only_norm: needs at least one value along the last axis, got shape []",
                       ShapeError);
}
