#include "core/inspect/compare.h"
#include "nn/norm/rms_norm_variants.h"

#include <tuple>

#include "nn/norm/rms_norm.h"
#include "nn/norm/scale_norm.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor half_of(const Nested& values) { return tensor(values, DType::f16); }

}  // namespace

TEST_CASE("norm-rms-noeps, norm-rms-l2: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("rms_norm_noeps", [](const Tensors& in) { return nn::rms_norm_noeps(in[0], in[1]); }) == "");
  CHECK(norm_against_pytorch("rms_norm_l2", [](const Tensors& in) { return nn::rms_norm_l2(in[0], in[1]); }) == "");
}

TEST_CASE("norm-rms-noeps: derivatives equal differences, and ‖x̂‖ = √n") {
  CHECK(check_derivatives([](const Tensors& in) { return nn::rms_norm_noeps(in[0], in[1]); }, {draw({3, 5}, 3), draw({5}, 4)}) == "");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Shape shape = some_shape(seed);
    const Tensor y = nn::rms_norm_noeps(draw(shape, seed));
    CHECK(difference(sqrt(sum(square(y), -1)), constant({shape[0]}, std::sqrt(static_cast<double>(shape[1]))), 1e-14) == "");
  }
}

TEST_CASE("norm-rms-noeps: a row of zeros is divided by 1") {
  const Tensor x = tensor({{0, 0}, {3, 4}}, DType::f64).set_requires_grad(), gain = tensor({2, 3}, DType::f64);
  const Tensor y = nn::rms_norm_noeps(x, gain);
  CHECK(equal(select(y.detach(), 0, 0), constant({2}, 0)));
  const Tensor g = draw({2, 2}, 3), dx = gradient(y, x, g);
  CHECK(equal(select(dx, 0, 0), select(g, 0, 0) * gain));
  CHECK(sum(isnan(dx)).item() == 0);
}

TEST_CASE("norm-rms-noeps: a row whose squares underflow is divided by 1 too, one just above is normalised") {
  const auto of_row = [](double size, DType dtype) { return nn::rms_norm_noeps(full({4}, size, dtype)).at({0}); };
  CHECK(of_row(1e-24, DType::f32) == doctest::Approx(1e-24).epsilon(1e-6));
  CHECK(of_row(1e-20, DType::f32) == doctest::Approx(1).epsilon(1e-2));
  CHECK(of_row(1e-24, DType::f64) == doctest::Approx(1).epsilon(1e-14));
  CHECK(of_row(1e-163, DType::f64) == 1e-163);
}

TEST_CASE("norm-rms-l2: the fast path is the formula") {
  const auto fast = [](const Tensors& in) { return nn::rms_norm_l2(in[0], argument(in, 1), 0.1); };
  const auto formula = [](const Tensors& in) { return nn::formula::rms_norm_l2(in[0], argument(in, 1), 0.1); };
  CHECK(check_fused("rms_norm_l2", fast, formula, {draw({2, 3, 5}, 3), draw({5}, 4)}) == "");
  CHECK(check_fused("rms_norm_l2, no gain", fast, formula, {draw({3, 4}, 3)}) == "");
}

TEST_CASE("norm-rms-l2: is norm-rms with ε/n, divided by √n: the same functions, of a gain √n times as large") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Tensor x = draw(some_shape(seed), seed), gain = draw({x.size(-1)}, seed + 20);
    const auto n = static_cast<double>(x.size(-1));
    const Tensor plain = nn::formula::rms_norm(x, gain, 0.3 / n);
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      CHECK(difference(nn::rms_norm_l2(x, gain, 0.3), plain / std::sqrt(n), 1e-14) == "");
      CHECK(difference(nn::rms_norm_l2(x, std::sqrt(n) * gain, 0.3), plain, 1e-14) == "");
    }
  }
}

TEST_CASE("norm-rms-l2: for one dL/dy a step on γ changes y by 1/n as much with SGD, by 1/√n as much with a sign step") {
  const auto change = [](const TensorFunction& norm, const Tensor& x, const Tensor& start, const Tensor& g, bool sign_only) {
    const Tensor gain = start.detached_copy().set_requires_grad();
    const Tensor slope = gradient(norm({x, gain}), gain, g);
    return norm({x, start - 0.1 * (sign_only ? sign(slope) : slope)}) - norm({x, start});
  };
  const auto rms = [](const Tensors& in) { return nn::rms_norm(in[0], in[1], 0); };
  const auto l2 = [](const Tensors& in) { return nn::rms_norm_l2(in[0], in[1], 0); };
  for (const auto& [n, by_sgd, by_sign] : {std::tuple{64, 0.015625, 0.125}, {4, 0.25, 0.5}}) {
    const Tensor x = draw({3, n}, 3), g = draw({3, n}, 9), one = constant({n}, 1);
    for (const Tensor& start : {one, std::sqrt(n) * one}) {  // 1, as it starts; or where both norms begin alike
      CHECK(difference(change(l2, x, start, g, false), by_sgd * change(rms, x, one, g, false), 1e-14) == "");
      CHECK(difference(change(l2, x, start, g, true), by_sign * change(rms, x, one, g, true), 1e-14) == "");
    }
  }
}

TEST_CASE("norm-upcast: the fast path is the formula, γ before the cast and after") {
  for (const nn::GainOrder order : {nn::GainOrder::before_cast, nn::GainOrder::after_cast}) {
    const auto fast = [=](const Tensors& in) { return nn::rms_norm_upcast(in[0], argument(in, 1), 1e-5, order); };
    const auto formula = [=](const Tensors& in) { return nn::formula::rms_norm_upcast(in[0], argument(in, 1), 1e-5, order); };
    CHECK(check_fused("rms_norm_upcast", fast, formula, {draw({2, 3, 5}, 3), draw({5}, 4)}) == "");
    CHECK(check_fused("rms_norm_upcast, no gain", fast, formula, {draw({3, 4}, 3)}) == "");
  }
}

TEST_CASE("norm-upcast: in f16, γ before the cast is rounded once, after it twice, by hand: 3 [1, 7] / 5") {
  const Tensor x = half_of({1, 7}), gain = half_of({3, 3});
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    // 0.2 ≈ 819/4096 and 1.4 ≈ 1434/1024; three times that lies half way between two numbers, of which the even one is taken.
    CHECK(to_vector(nn::rms_norm_upcast(x, gain, 0, nn::GainOrder::before_cast)) == Values{0.60009765625, 4.19921875});
    CHECK(to_vector(nn::rms_norm_upcast(x, gain, 0, nn::GainOrder::after_cast)) == Values{0.599609375, 4.203125});
  }
}

TEST_CASE("norm-upcast: naive f16 overflows at one 300, and at a hundred 100; upcast it does not") {
  const Tensor one = half_of({300, 0, 0, 0}), hundred = full({100}, 100, DType::f16);
  for (const Tensor& x : {one, hundred}) {
    const Tensor naive = x * rsqrt(sum(square(x), -1, true) / static_cast<double>(x.size(-1)) + 1e-5);
    CHECK(equal(naive, zeros_like(x)));  // a square or the sum is infinite, and x / ∞ = 0
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      const Tensor exact = nn::formula::rms_norm(cast(x, DType::f64), {}, 1e-5);
      CHECK(difference(nn::rms_norm_upcast(x), exact, 0x1p-11) == "");
    }
  }
  CHECK(sum(isinf(square(one))).item() == 1);      // 300² = 90000 > 65504
  CHECK(sum(isinf(square(hundred))).item() == 0);  // each square fits, their sum does not
  CHECK(isinf(sum(square(hundred))).item() == 1);
}

TEST_CASE("norm-upcast: under create_graph too the statistics stay wide") {
  const Tensor x = half_of({300, 100, -300, 200}).set_requires_grad();
  const Tensor y = nn::rms_norm_upcast(x);
  const Tensor dx = grad({y}, {x}, {.seeds = {half_of({1, 2, 3, 4})}, .create_graph = true})[0];
  const Tensor wide = cast(x.detach(), DType::f64).set_requires_grad();
  const Tensor exact = gradient(nn::rms_norm(wide), wide, tensor({1, 2, 3, 4}, DType::f64));
  CHECK(difference(1024 * cast(dx, DType::f64), 1024 * exact, 8 * 0x1p-11) == "");
}

TEST_CASE("norm-rms, norm-rms-noeps, norm-rms-l2, norm-upcast: RMSNorm(ax) = sign(a) RMSNorm(x) as ε → 0") {
  const std::function<Tensor(const Tensor&)> forms[] = {
      [](const Tensor& x) { return nn::rms_norm(x, {}, 0); }, [](const Tensor& x) { return nn::rms_norm_noeps(x); },
      [](const Tensor& x) { return nn::rms_norm_l2(x, {}, 0); }, [](const Tensor& x) { return nn::rms_norm_upcast(x, {}, 0); }};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Tensor x = draw(some_shape(seed), seed);
    for (const auto& norm : forms) {
      for (const double a : {100.0, 0.01, -3.0}) CHECK(difference(norm(a * x), (a > 0 ? 1 : -1) * norm(x), 1e-14) == "");
      CHECK(max_difference(norm(x + 3), norm(x)) > 0.01);
    }
  }
}

TEST_CASE("norm-scale: values and gradients equal PyTorch's; the fast path is the formula") {
  const auto fast = [](const Tensors& in) { return nn::scale_norm(in[0], in[1]); };
  CHECK(norm_against_pytorch("scale_norm", fast) == "");
  CHECK(check_fused("scale_norm", fast, [](const Tensors& in) { return nn::formula::scale_norm(in[0], in[1], 1e-5); },
                    {draw({2, 3, 5}, 3), tensor(1.5, DType::f64)}) == "");
}

TEST_CASE("norm-scale: every row has length g; a row of zeros stays 0; it starts as RMSNorm does") {
  const Tensor radius = tensor(2.5, DType::f64);
  CHECK(difference(sqrt(sum(square(nn::scale_norm(draw({4, 6}, 3), radius, 0)), -1)), constant({4}, 2.5), 1e-14) == "");
  CHECK(equal(nn::scale_norm(zeros({2, 3}), tensor(1)), zeros({2, 3})));
  nn::ScaleNorm norm(6);
  const Tensor x = cast(draw({4, 6}, 3), DType::f32);
  CHECK(difference(norm(x), nn::rms_norm(x), 1e-5) == "");
  CHECK(norm.parameter_count() == 1);
  CHECK(norm.describe() == "ScaleNorm(6, eps 1e-05)");
  CHECK_THROWS_WITH_AS(nn::ScaleNorm(0), "ScaleNorm: the width must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::ScaleNorm(2, -1), "ScaleNorm: eps must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 5})), "ScaleNorm(6, eps 1e-05): expected [..., 6], got [2, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::scale_norm(zeros({2}), ones({2})), "scale_norm: the radius is one number, of shape [], got shape [2]",
                       ShapeError);
}

TEST_CASE("RMSNormNoEps, RMSNormL2, RMSNormUpcast: modules and errors") {
  const Tensor x = cast(draw({2, 6}, 3), DType::f32);
  CHECK(equal(nn::RMSNormNoEps(6)(x), nn::rms_norm_noeps(x)));
  CHECK(equal(nn::RMSNormL2(6)(x), nn::rms_norm_l2(x)));
  CHECK(equal(nn::RMSNormUpcast(6)(x), nn::rms_norm(x)));
  CHECK(nn::RMSNormL2(6).parameter_count() == 6);
  CHECK_THROWS_WITH_AS(nn::RMSNormL2(6, -1), "RMSNormL2: eps must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::RMSNormUpcast(0), "RMSNormUpcast: the width must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::rms_norm_noeps(zeros({2, 0})), "rms_norm_noeps: needs at least one value along the last axis, got shape [2, 0]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::rms_norm_l2(zeros({2, 3}), ones({2})),
                       "rms_norm_l2: x has shape [2, 3], so the gain must have shape [3], got [2]", ShapeError);
}
