#include "core/inspect/compare.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"

#include "tests/nn/norm/norm_test.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

TensorFunction fast(const Shape& shape, double eps = 1e-5) {
  return [=](const Tensors& in) { return nn::layer_norm(in[0], shape, argument(in, 1), argument(in, 2), eps); };
}

TensorFunction by_formula(const Shape& shape, double eps = 1e-5) {
  return [=](const Tensors& in) { return nn::formula::layer_norm(in[0], shape, argument(in, 1), argument(in, 2), eps); };
}

Tensor plain(const Tensor& x, double eps = 0) { return nn::layer_norm(x, {x.size(-1)}, {}, {}, eps); }

}  // namespace

TEST_CASE("norm-layer: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("layer_norm", fast({6})) == "");
  CHECK(norm_against_pytorch("layer_norm/plain", fast({5})) == "");
  CHECK(norm_against_pytorch("layer_norm/image", fast({3, 2, 4})) == "");
  CHECK(norm_against_pytorch("layer_norm/eps", fast({4}, 0.5)) == "");
}

TEST_CASE("norm-nobias: values and gradients equal PyTorch's") { CHECK(norm_against_pytorch("layer_norm/no_bias", fast({6})) == ""); }

TEST_CASE("norm-layer: the fast path is the formula, over any last axes, with γ and β and without") {
  const std::pair<Shape, Shape> shapes[] = {{{6}, {6}}, {{2, 3, 5}, {5}}, {{3, 17}, {17}}, {{2, 3, 2, 2}, {3, 2, 2}}};
  for (const auto& [shape, normalized] : shapes) {
    const std::string name = fmt::format("layer_norm {} of {}", normalized, shape);
    const Tensors all{draw(shape, 3), draw(normalized, 4), draw(normalized, 5)};
    CHECK(check_fused(name, fast(normalized), by_formula(normalized), all) == "");
    CHECK(check_fused(name + ", no bias", fast(normalized), by_formula(normalized), {all[0], all[1]}) == "");
    CHECK(check_fused(name + ", plain", fast(normalized, 0.1), by_formula(normalized, 0.1), {all[0]}) == "");
  }
  const auto bias_only = [](const auto& norm) { return [=](const Tensors& in) { return norm(in[0], {5}, {}, in[1], 1e-5); }; };
  CHECK(check_fused("layer_norm, no gain", bias_only(nn::layer_norm), bias_only(nn::formula::layer_norm),
                    {draw({3, 5}, 3), draw({5}, 4)}) == "");
}

TEST_CASE("norm-layer: the gradients of γ and β are right when there are many rows, whatever the number of threads") {
  const FusedOptions no_differences{.differences = false};
  const Tensors inputs{draw({3, 67, 5}, 3), draw({5}, 4), draw({5}, 5)};
  CHECK(check_fused("layer_norm", fast({5}), by_formula({5}), inputs, no_differences) == "");
  const auto gradients = [](int count) {
    const Threads threads(count);
    Tensors leaves{cast(draw({700, 96}, 3), DType::f32), cast(draw({96}, 4), DType::f32), zeros({96})};
    for (Tensor& x : leaves) x.set_requires_grad();
    return grad({fast({96})(leaves)}, leaves, {.seeds = {cast(draw({700, 96}, 9), DType::f32)}});
  };
  const Tensors one = gradients(1), three = gradients(3);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(equal(one[i], three[i]));
}

TEST_CASE("norm-layer: one value gives β, two give ±1, a constant row gives β") {
  const Tensor gain = draw({1}, 4), bias = draw({1}, 5), x = draw({4, 1}, 3).set_requires_grad();
  const Tensor y = nn::layer_norm(x, {1}, gain, bias);
  CHECK(equal(y.detach(), expand(bias, {4, 1})));
  CHECK(difference(gradient(y, x, draw({4, 1}, 6)), zeros_like(x), 1e-12) == "");  // ĝ's rounding, divided by √ε
  CHECK(difference(plain(tensor({{3, 5}, {7, -1}}, DType::f64)), tensor({{-1, 1}, {1, -1}}, DType::f64), 1e-15) == "");
  CHECK(equal(nn::layer_norm(constant({2, 3}, 7), {3}, {}, constant({3}, 0.5)), constant({2, 3}, 0.5)));
  CHECK(sum(isnan(plain(constant({2, 3}, 7)))).item() == 6);  // without ε: 0/0
}

TEST_CASE("norm-layer: a large mean costs no digits: the variance is not a difference of large numbers") {
  const Tensor x = cast(draw({4, 64}, 3), DType::f32);
  const Tensor far = 4096 + x;
  const Tensor exact = nn::layer_norm(cast(far, DType::f64), {64});
  CHECK(difference(nn::layer_norm(far, {64}), exact, 1e-6) == "");  // E[x²] - μ² would be rounded by 4096² 2⁻²⁴ = 1
}

TEST_CASE("norm-layer: LN(ax + b) = sign(a) LN(x) as ε → 0, b one number") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Tensor x = draw(some_shape(seed), seed);
    for (const double a : {100.0, 0.01, -3.0}) {
      CHECK(difference(plain(a * x + 0.5), (a > 0 ? 1 : -1) * plain(x), 1e-11) == "");
    }
  }
  const Tensor x = draw({4, 6}, 3);
  CHECK(max_difference(plain(x + draw({6}, 8)), plain(x)) > 0.1);      // a shift of each feature is seen
  CHECK(max_difference(plain(0.01 * x, 1e-2), plain(x, 1e-2)) > 0.1);  // with ε, so is scale
  CHECK(difference(plain(x + 5, 1e-2), plain(x, 1e-2), 1e-12) == "");  // but never a common shift
}

TEST_CASE("norm-layer: LN((aW + 1vᵀ)x) = LN(Wx) as ε → 0, a > 0") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Tensor x = draw({3, 5}, seed), weight = draw({7, 5}, seed + 20), v = draw({1, 5}, seed + 40);
    const auto norm_of = [&](const Tensor& w) { return plain(matmul(x, w, {.transpose_b = true})); };
    CHECK(difference(norm_of(2.5 * weight + v), norm_of(weight), 1e-11) == "");
  }
}

TEST_CASE("norm-layer: dx ⟂ 1 exactly, and Σ dx ⊙ x̂ = ε Σ ĝ ⊙ x̂ / (σ² + ε)^1.5") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Shape shape = some_shape(seed);
    const Tensor x = draw(shape, seed).set_requires_grad(), gain = draw({shape[1]}, seed + 20), g = draw(shape, seed + 40);
    for (const double eps : {1e-5, 0.5}) {
      const Tensor dx = gradient(nn::layer_norm(x, {shape[1]}, gain, {}, eps), x, g);
      const Tensor rows = constant({shape[0]}, 0), largest = max(abs(dx)) + 1;
      CHECK(difference(sum(dx, -1) / largest, rows, 1e-13) == "");
      const Tensor normalized = plain(x.detach(), eps), variance = var(x.detach(), -1, 0);
      const Tensor along = sum(g * gain * normalized, -1);
      CHECK(difference(sum(dx * normalized, -1) / largest, eps * along / pow(variance + eps, 1.5) / largest, 1e-13) == "");
    }
  }
}

TEST_CASE("norm-layer: ‖x̂‖ = √n, and no |x̂| is above √(n - 1), which one outlier reaches") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Shape shape = some_shape(seed);
    const Tensor y = plain(draw(shape, seed));
    const auto n = static_cast<double>(shape[1]);
    CHECK(difference(sqrt(sum(square(y), -1)), constant({shape[0]}, std::sqrt(n)), 1e-13) == "");
    CHECK(max(abs(y)).item() <= std::sqrt(n - 1) * (1 + 1e-13));
    const Tensor outlier = cat({constant({1, shape[1] - 1}, 2), constant({1, 1}, 9)}, 1);
    CHECK(max(plain(outlier)).item() == doctest::Approx(std::sqrt(n - 1)).epsilon(1e-13));
  }
}

TEST_CASE("LayerNorm: starts without effect of γ and β; its name and parameters") {
  nn::LayerNorm norm({6});
  const auto named = norm.named_parameters();
  REQUIRE(named.size() == 2);
  CHECK(named[0].name == "gain");
  CHECK(named[1].name == "bias");
  const Tensor x = cast(draw({2, 6}, 3), DType::f32);
  CHECK(equal(norm(x), nn::layer_norm(x, {6})));
  CHECK(norm.describe() == "LayerNorm([6], eps 1e-05)");
  CHECK(nn::LayerNorm({6}, {.bias = false}).describe() == "LayerNorm([6], eps 1e-05, no bias)");
  CHECK(nn::LayerNorm({6}, {.bias = false}).parameter_count() == 6);
  CHECK(nn::LayerNorm({2, 3}, {.gain = false, .bias = false}).parameter_count() == 0);
  CHECK(nn::LayerNorm({2, 3})(zeros({0, 2, 3})).shape() == Shape{0, 2, 3});
}

TEST_CASE("LayerNorm: errors") {
  CHECK_THROWS_WITH_AS(nn::LayerNorm(Shape{}), "LayerNorm: normalized_shape needs one size or more, all positive, got []", ValueError);
  CHECK_THROWS_WITH_AS(nn::LayerNorm({3, 0}), "LayerNorm: normalized_shape needs one size or more, all positive, got [3, 0]", ValueError);
  CHECK_THROWS_WITH_AS(nn::LayerNorm({4}, {.eps = -1}), "LayerNorm: eps must be finite and not negative, got -1", ValueError);
  nn::LayerNorm norm({4, 2});
  CHECK_THROWS_WITH_AS(
      norm(zeros({3, 2, 4})),
      "LayerNorm([4, 2], eps 1e-05): layer_norm: normalized_shape [4, 2] must be the last axes of x, which has shape [3, 2, 4]",
      ShapeError);
  CHECK_THROWS_WITH_AS(norm(zeros({2})),
                       "LayerNorm([4, 2], eps 1e-05): layer_norm: normalized_shape [4, 2] must be the last axes of x, which has shape [2]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::layer_norm(zeros({2, 3}), {3}, ones({2})),
                       "layer_norm: x has shape [2, 3], so the gain must have shape [3], got [2]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::layer_norm(zeros({2, 3}), {3}, {}, ones({1})),
                       "layer_norm: x has shape [2, 3], so the bias must have shape [3], got [1]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::layer_norm(zeros({2, 0}), {0}), "layer_norm: needs at least one value to normalise, got normalized_shape [0]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::layer_norm(tensor({1, 2}, DType::i64), {2}),
                       "layer_norm: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
  CHECK_THROWS_AS(nn::layer_norm(zeros({2, 3}), {3}, ones({3}, DType::f64)), DTypeError);
}

// The gradient of each row is the same: added one by one, dL/dβ of 300,000 rows would be 1e-4 off.
TEST_CASE("norm-layer, norm-rms: of many rows, dL/dβ and dL/dγ in f32 are as exact as a sum") {
  constexpr int64_t rows = 300'000;
  const Tensor x = expand(tensor({1, -1}), {rows, 2}), gain = ones({2}).set_requires_grad(), bias = zeros({2}).set_requires_grad();
  const Tensors found = grad({nn::layer_norm(x, {2}, gain, bias, 0)}, {gain, bias}, {.seeds = {full({rows, 2}, 0.1)}});
  const double exact = static_cast<double>(0.1F) * rows;
  CHECK(found[1].at({0}) == doctest::Approx(exact).epsilon(2e-5));
  CHECK(found[0].at({0}) == doctest::Approx(exact).epsilon(2e-5));
  CHECK(grad({nn::rms_norm(x, gain, 0)}, {gain}, {.seeds = {full({rows, 2}, 0.1)}})[0].at({1}) == doctest::Approx(-exact).epsilon(2e-5));
}
