#include "nn/norm/rms_norm.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm_variants.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The length of every row.
Tensor lengths(const Tensor& x) { return sqrt(sum(square(x), -1)); }

}  // namespace

TEST_CASE("norm-rms: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("rms_norm", [](const Tensors& in) { return nn::rms_norm(in[0], in[1]); }) == "");
  CHECK(against_pytorch("rms_norm/no_gain", [](const Tensors& in) { return nn::rms_norm(in[0]); }) == "");
  CHECK(against_pytorch("rms_norm/eps", [](const Tensors& in) { return nn::rms_norm(in[0], in[1], 0.5); }) == "");
}

TEST_CASE("norm-rms: the fast path is the formula, with a gain and without") {
  for (const Shape& shape : {Shape{6}, Shape{4, 1}, Shape{2, 3, 5}, Shape{3, 17}}) {
    const std::string name = fmt::format("rms_norm{}", shape);
    CHECK(check_fused(
              name, [](const Tensors& in) { return nn::rms_norm(in[0], in[1]); },
              [](const Tensors& in) { return nn::formula::rms_norm(in[0], in[1], 1e-5); }, {draw(shape, 3), draw({shape[-1]}, 4)}) == "");
    CHECK(check_fused(
              name + " without gain", [](const Tensors& in) { return nn::rms_norm(in[0], {}, 1e-2); },
              [](const Tensors& in) { return nn::formula::rms_norm(in[0], {}, 1e-2); }, {draw(shape, 3)}) == "");
  }
}

TEST_CASE("norm-rms: the gain's gradient is right when there are many rows") {
  const FusedOptions no_differences{.differences = false};
  CHECK(check_fused(
            "rms_norm", [](const Tensors& in) { return nn::rms_norm(in[0], in[1]); },
            [](const Tensors& in) { return nn::formula::rms_norm(in[0], in[1], 1e-5); }, {draw({3, 67, 5}, 3), draw({5}, 4)},
            no_differences) == "");
}

TEST_CASE("norm-rms: the value by hand: [3, 4] has the root mean square 5/√2") {
  const Tensor y = nn::rms_norm(tensor({3, 4}, DType::f64), tensor({1, 10}, DType::f64), 0);
  CHECK(difference(y, tensor({3 * std::sqrt(2) / 5, 40 * std::sqrt(2) / 5}, DType::f64), 1e-15) == "");
}

TEST_CASE("norm-rms: RMSNorm(ax) = sign(a) RMSNorm(x) as ε → 0, and not otherwise") {
  const Tensor x = draw({4, 6}, 3);
  for (const double a : {100.0, 0.01, -3.0}) {
    const double sign = a > 0 ? 1 : -1;
    CHECK(difference(nn::rms_norm(x * a, {}, 0), sign * nn::rms_norm(x, {}, 0), 1e-15) == "");
    CHECK(difference(nn::rms_norm(x * a, {}, 1e-12), sign * nn::rms_norm(x, {}, 1e-12), 1e-7) == "");
  }
  CHECK(difference(nn::rms_norm(x * 0.01, {}, 1e-2), nn::rms_norm(x, {}, 1e-2), 1e-2) != "");
}

TEST_CASE("norm-rms: is not shift invariant") {
  const Tensor x = draw({4, 6}, 3);
  CHECK(max_difference(nn::rms_norm(x + 1), nn::rms_norm(x)) > 0.1);
}

TEST_CASE("norm-rms: with ε = 0 every row has length √n, and its gradient is at right angles to it") {
  const Tensor x = draw({5, 7}, 3).set_requires_grad();
  const Tensor y = nn::rms_norm(x, {}, 0);
  CHECK(difference(lengths(y), full({5}, std::sqrt(7.0), DType::f64), 1e-15) == "");
  const Tensor dx = grad({y}, {x}, {.seeds = {draw({5, 7}, 9)}})[0];
  CHECK(difference(sum(dx * x, -1), zeros({5}, DType::f64), 1e-14) == "");
}

TEST_CASE("norm-rms: a row of zeros is NaN with ε = 0, which only norm-rms-noeps gives a meaning, and 0 with another ε") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    CHECK(sum(isnan(nn::rms_norm(zeros({2, 3}), {}, 0))).item() == 6);
    CHECK(equal(nn::rms_norm(zeros({2, 3})), zeros({2, 3})));
  }
}

TEST_CASE("norm-upcast: the formula overflows in f16, the fast path, whose statistics are f32, does not") {
  const Tensor x = tensor({300, -300, 300, 300}, DType::f16);  // 300² is beyond f16's 65504
  CHECK(equal(nn::formula::rms_norm(x, {}, 1e-5), tensor({0, 0, 0, 0}, DType::f16)));
  CHECK(equal(nn::rms_norm(x), tensor({1, -1, 1, 1}, DType::f16)));
}

// √(FLT_MAX / 4) is 9.2234e18.
TEST_CASE("norm-rms, norm-layer: a row whose squares overflow f32 becomes 0, and has no gradient") {
  const auto check_row = [](double size, double expected) {
    const Tensor x = (tensor({1, -1, 1, -1}) * size).set_requires_grad(), weights = tensor({1, 2, 3, 5});
    for (const Tensor& y : {nn::rms_norm(x), nn::rms_norm_noeps(x), nn::layer_norm(x, {4})}) {
      CHECK(difference(y, tensor({expected, -expected, expected, -expected}), 1e-6) == "");
      const Tensor dx = grad({sum(y * weights)}, {x})[0];
      CHECK((max(abs(dx)).item() > 0) == (expected != 0));
      CHECK(sum(isfinite(dx)).item() == 4);
    }
  };
  check_row(9.223e18, 1);
  check_row(9.224e18, 0);
}

TEST_CASE("RMSNorm: starts as the norm without gain; its gain is its one parameter") {
  nn::RMSNorm norm(6);
  const auto named = norm.named_parameters();
  REQUIRE(named.size() == 1);
  CHECK(named[0].name == "gain");
  CHECK(equal(named[0].tensor, ones({6})));
  const Tensor x = cast(draw({2, 6}, 3), DType::f32);
  CHECK(equal(norm(x), nn::rms_norm(x)));
  CHECK(nn::RMSNorm(6, {.gain = false}).parameter_count() == 0);
  CHECK(norm.describe() == "RMSNorm(6, eps 1e-05)");
}

TEST_CASE("RMSNorm: without a gain there is none to add 1 to") {
  const Tensor x = cast(draw({2, 6}, 3), DType::f32);
  CHECK(equal(nn::RMSNorm(6, {.gain = false, .one_plus_gain = true})(x), nn::rms_norm(x)));
}

TEST_CASE("RMSNorm: errors") {
  CHECK_THROWS_WITH_AS(nn::RMSNorm(0), "RMSNorm: the width must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::RMSNorm(4, {.eps = -1}), "RMSNorm: eps must be finite and not negative, got -1", ValueError);
  nn::RMSNorm norm(4);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 3})), "RMSNorm(4, eps 1e-05): expected [..., 4], got [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(norm(tensor(1)), "RMSNorm(4, eps 1e-05): expected [..., 4], got []", ShapeError);
  CHECK_THROWS_WITH_AS(nn::rms_norm(zeros({2, 0})), "rms_norm: needs at least one value along the last axis, got shape [2, 0]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::rms_norm(zeros({2, 3}), ones({2})), "rms_norm: x has shape [2, 3], so the gain must have shape [3], got [2]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::rms_norm(tensor({1, 2}, DType::i64)), "rms_norm: needs a floating dtype, got i64; use cast(x, DType::f32) first",
                       DTypeError);
  CHECK_THROWS_AS(nn::rms_norm(zeros({2, 3}), ones({3}, DType::f64)), DTypeError);
}
