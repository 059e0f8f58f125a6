#include "core/inspect/compare.h"
#include "nn/norm/spectral_norm.h"

#include "nn/activation/relu.h"
#include "nn/feed_forward/feed_forward.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// A matrix with these singular values: rotations of a diagonal.
Tensor with_singular_values(double first, double second) {
  const auto rotation = [](double angle) {
    return tensor({{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}, DType::f64);
  };
  return matmul(rotation(0.7), matmul(tensor({{first, 0}, {0, second}}, DType::f64), rotation(-1.9)));
}

}  // namespace

TEST_CASE("norm-spectral: power iteration, weight and gradient equal PyTorch's, in training and in use") {
  const auto fixture = read_fixture("norm.safetensors").tensors;
  const auto at = [&](const std::string& key) { return fixture.at("spectral_norm/" + key); };
  const Tensor identity = eye(6, -1, DType::f64);  // so that the layer gives wᵀ
  nn::SpectralNormLinear layer(6, 4, {.bias = false});
  layer.to(DType::f64);
  layer.weight = at("weight");
  layer.v.assign(at("v"));
  Tensor w;
  for (int call = 0; call < 3; ++call) {
    CAPTURE(call);
    w = transpose(layer(identity));
    CHECK(difference(w, at(fmt::format("w{}", call)), 1e-14) == "");
    CHECK(difference(layer.u, at(fmt::format("u{}", call)), 1e-14) == "");
    CHECK(difference(layer.v, at(fmt::format("v{}", call)), 1e-14) == "");
  }
  CHECK(difference(gradient(w, layer.weight, at("cotangent")), at("grad"), 1e-14) == "");
  layer.eval();
  CHECK(difference(transpose(layer(identity)), at("eval"), 1e-14) == "");
  CHECK(difference(layer.v, at("v2"), 1e-14) == "");  // no iteration in use
}

TEST_CASE("norm-spectral: the largest singular value becomes 1, the other the ratio of both, however W is scaled") {
  for (const double scale : {1e-3, 1.0, 500.0}) {
    nn::SpectralNormLinear layer(2, 2, {.bias = false});
    layer.to(DType::f64);
    layer.weight = scale * with_singular_values(4, 1);
    const Tensor w = transpose(layer(eye(2, -1, DType::f64)));
    const Tensor gram = matmul(w, w, {.transpose_a = true});  // its eigenvalues are 1 and 1/16
    CHECK(gram.at({0, 0}) + gram.at({1, 1}) == doctest::Approx(1 + 1 / 16.0).epsilon(1e-12));
    CHECK(gram.at({0, 0}) * gram.at({1, 1}) - gram.at({0, 1}) * gram.at({1, 0}) == doctest::Approx(1 / 16.0).epsilon(1e-12));
  }
}

TEST_CASE("norm-spectral: an iteration turns v towards the first singular vector by (σ₂/σ₁)²; the first call makes 15, others 1") {
  const Tensor weight = with_singular_values(2, 1);
  const Tensor first = tensor({std::cos(1.9), std::sin(1.9)}, DType::f64);  // of W = R(0.7) S R(-1.9): the first row of R(-1.9)
  const Tensor second = tensor({-std::sin(1.9), std::cos(1.9)}, DType::f64);
  const auto tangent = [&](const Tensor& v) { return std::abs(dot(v, second).item() / dot(v, first).item()); };
  Tensor u = zeros({2}, DType::f64), v = tensor({0.6, 0.8}, DType::f64);
  for (int i = 0; i < 4; ++i) {
    const double before = tangent(v);
    nn::power_iteration(weight, u, v, 1);
    CHECK(tangent(v) == doctest::Approx(before / 4).epsilon(1e-12));
  }
  nn::SpectralNormLinear layer(2, 2);
  layer.to(DType::f64);
  layer.weight = weight;
  const auto call = [&] { layer(zeros({1, 2}, DType::f64)); };
  manual_seed(3);
  call();
  const double at_first = tangent(layer.v);
  manual_seed(3);
  const double begun_at = tangent(cast(randn({2}), DType::f64));
  CHECK(at_first * std::pow(4, 15) == doctest::Approx(begun_at).epsilon(1e-5));
  layer.v.assign(tensor({0.6, 0.8}, DType::f64));
  const double before = tangent(layer.v);
  call();
  CHECK(tangent(layer.v) == doctest::Approx(before / 4).epsilon(1e-12));
}

TEST_CASE("norm-spectral: first and second derivatives equal differences; u and v are saved, but not trained") {
  const Tensor u = draw({3}, 1), v = draw({4}, 2);
  const auto f = [&](const Tensors& in) { return nn::spectral_norm(in[0], u, v); };
  CHECK(check_derivatives(f, {draw({3, 4}, 3)}) == "");
  nn::SpectralNormLinear layer(4, 3);
  CHECK(layer.parameter_count() == 12 + 3);
  CHECK(layer.state_dict().size() == 4);
  CHECK(layer.describe() == "SpectralNormLinear(4 -> 3)");
  nn::SpectralNormLinear writes(4, 3, {.role = Role::writes_stream});
  CHECK(writes.named_parameters()[0].role == Role::writes_stream);
}

TEST_CASE("norm-spectral: two calls in one graph each keep their own u and v") {
  nn::SpectralNormLinear layer(4, 4);
  const Tensor x = randn({2, 4});
  CHECK_NOTHROW(sum(layer(layer(x))).backward());
}

TEST_CASE("norm-spectral: v is drawn only where it is all zeros; in use the one that is there stays, with zeros in it too") {
  nn::SpectralNormLinear layer(2, 2, {.bias = false});
  layer.weight = tensor({{3, 0}, {0, 1}});
  layer.u.assign(tensor({-1, 0}));
  layer.v.assign(tensor({-1, 0}));
  layer.eval();
  CHECK(equal(layer(tensor({{6, 6}})), tensor({{6, 2}})));  // σ = u · W v = 3
  CHECK(equal(layer.v, tensor({-1, 0})));
}

TEST_CASE("norm-spectral: singular vectors have length 1 as long as W v has 1e-12 or more") {
  const auto length_after = [](double weight) {
    Tensor u = tensor({0}, DType::f64), v = tensor({1}, DType::f64);
    nn::power_iteration(full({1, 1}, weight, DType::f64), u, v, 1);
    return u.item();
  };
  CHECK(length_after(2e-12) == doctest::Approx(1).epsilon(1e-12));
  CHECK(length_after(0.25e-12) == doctest::Approx(0.25).epsilon(1e-12));
}

TEST_CASE("norm-spectral: the feed-forward layer with spectral norm is W₂ f(W₁ x + b₁) + b₂ with W / σ₁") {
  nn::UngatedFeedForward<nn::SpectralNormLinear> layer(nn::act::relu, {.d_model = 4, .d_ff = 6});
  const Tensor x = randn({3, 4});
  layer(x);
  layer.eval();
  const auto weight = [](const nn::SpectralNormLinear& w) { return nn::formula::spectral_norm(w.weight, w.u, w.v); };
  const Tensor hidden = relu(matmul(x, transpose(weight(layer.w1))) + layer.w1.bias);
  CHECK(difference(layer(x), matmul(hidden, transpose(weight(layer.w2))) + layer.w2.bias, 1e-5) == "");
}

TEST_CASE("norm-spectral: in f16 large weights are divided by their singular value, too") {
  nn::SpectralNormLinear layer(64, 64, {.bias = false});
  layer.weight = full({64, 64}, 8);  // σ₁ = 512
  layer.to(DType::f16);
  CHECK(difference(layer(ones({1, 64}, DType::f16)), full({1, 64}, 1, DType::f16), 2e-3) == "");
}

TEST_CASE("norm-spectral: a call that fails leaves u and v as they were") {
  nn::SpectralNormLinear layer(3, 2);
  layer.bias.share(zeros({2}, DType::f64));
  CHECK_THROWS_AS(layer(ones({1, 3})), DTypeError);
  CHECK(equal(layer.u, zeros({2})));
  CHECK(equal(layer.v, zeros({3})));
}

TEST_CASE("spectral_norm: errors") {
  CHECK_THROWS_WITH_AS(nn::spectral_norm(zeros({3, 4}), zeros({4}), zeros({3})),
                       "spectral_norm: expected a weight [out, in], u [out] and v [in], got [3, 4], [4] and [3]", ShapeError);
  nn::SpectralNormLinear layer(4, 3);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3})), "SpectralNormLinear(4 -> 3): linear: expected [..., 4], got [2, 3]", ShapeError);
  CHECK_THROWS_AS(nn::SpectralNormLinear(0, 3), ValueError);
}
