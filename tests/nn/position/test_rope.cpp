#include "core/inspect/gradcheck.h"
#include "nn/position/rope.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::RoPE rope_of(int64_t head_dim, int64_t max_length = 32) {
  return nn::RoPE({.d_model = head_dim, .heads = 1, .head_dim = head_dim, .max_length = max_length});
}

// x [B, T, H, d] at the positions start, start + 1, …
Tensor turned(nn::RoPE& rope, const Tensor& x, int64_t start) { return rope.on_queries(x, arange(x.size(1)) + static_cast<double>(start)); }

// One vector [d], put at position p.
Tensor at_position(nn::RoPE& rope, const Tensor& x, int64_t p) { return flatten(turned(rope, reshape(x, {1, 1, 1, x.numel()}), p)); }

}  // namespace

TEST_CASE("pos-rope: values and gradients equal PyTorch's, by complex numbers") {
  CHECK(against_pytorch("rope", [](const Tensors& in) {
          nn::RoPE rope = rope_of(8);
          return turned(rope, in[0], 0);
        }) == "");
  CHECK(against_pytorch("rope/start", [](const Tensors& in) {
          nn::RoPE rope = rope_of(6);
          return turned(rope, in[0], 7);
        }) == "");
}

TEST_CASE("pos-rope: the fast path is the formula") {
  const Tensor angle = draw({3, 2}, 11);
  const auto tables = [angle](DType dtype) { return std::pair{cast(cos(angle), dtype), cast(sin(angle), dtype)}; };
  const TensorFunction fast = [=](const Tensors& in) {
    const auto [cosines, sines] = tables(in[0].dtype());
    return nn::rope(in[0], cosines, sines);
  };
  const TensorFunction formula = [=](const Tensors& in) {
    const auto [cosines, sines] = tables(in[0].dtype());
    return nn::formula::rope(in[0], cosines, sines);
  };
  CHECK(check_fused("rope", fast, formula, {draw({2, 3, 2, 4}, 11)}) == "");
}

TEST_CASE("pos-rope: positions of each sample's own") {
  const Tensor angle = draw({2, 3, 2}, 11);
  const auto own = [=](auto rope_of_tables) {
    return [=](const Tensors& in) {
      return rope_of_tables(in[0], cast(cos(angle), in[0].dtype()), cast(sin(angle), in[0].dtype()), nn::RopeLayout::pairs);
    };
  };
  CHECK(check_fused("rope", own(nn::rope), own(nn::formula::rope), {draw({2, 3, 2, 4}, 11)}) == "");
  nn::RoPE rope = rope_of(4);
  const Tensor x = draw({2, 3, 2, 4}, 11), positions = tensor({{4, 5, 6}, {9, 1, 0}}, DType::i64);
  const Tensor y = rope.on_keys(x, positions);
  for (const int64_t b : {0, 1}) {
    const Tensor sample = slice(x, 0, b, b + 1);
    CHECK(equal(slice(y, 0, b, b + 1), rope.on_keys(sample, select(positions, 0, b))));
  }
}

TEST_CASE("pos-rope: position 0 is left as it is; pair k of position p is turned by p θ^(-2k/d) radians") {
  nn::RoPE rope = rope_of(4);
  const Tensor x = tensor({1, 0, 1, 0}, DType::f64);
  CHECK(equal(at_position(rope, x, 0), x));
  const double slow = 3 * std::pow(10000.0, -0.5);  // k = 1, d = 4, p = 3
  CHECK(difference(at_position(rope, x, 3), tensor({std::cos(3), std::sin(3), std::cos(slow), std::sin(slow)}, DType::f64), 1e-15) == "");
}

TEST_CASE("pos-rope: another θ, another speed") {
  nn::RoPE rope({.d_model = 4, .heads = 1, .head_dim = 4, .max_length = 8}, {.theta = 100});
  CHECK(at_position(rope, tensor({0, 0, 1, 0}, DType::f64), 5).at({2}) == doctest::Approx(std::cos(0.5)));
}

TEST_CASE("pos-rope-relative: turning keeps every length, and the gradient is turned back") {
  nn::RoPE rope = rope_of(8);
  const Tensor x = draw({2, 9, 3, 8}, 11).set_requires_grad();
  const Tensor y = turned(rope, x, 4);
  CHECK(difference(sum(square(y), -1), sum(square(x), -1), 1e-15) == "");
  const Tensor back = grad({y}, {x}, {.seeds = {y.detach()}})[0];  // Rᵀ R x = x
  CHECK(difference(back, x, 1e-15) == "");
}

TEST_CASE("pos-rope-relative: ⟨R_m q, R_n k⟩ depends on m - n only") {
  nn::RoPE rope = rope_of(8, 64);
  const Tensor q = draw({8}, 1), k = draw({8}, 2);
  const auto score = [&](int64_t m, int64_t n) { return dot(at_position(rope, q, m), at_position(rope, k, n)).item(); };
  for (const int64_t distance : {0, 1, 5, 20}) {
    for (const int64_t n : {0, 3, 17, 43}) CHECK(score(n + distance, n) == doctest::Approx(score(distance, 0)).epsilon(1e-13));
  }
  CHECK(std::abs(score(5, 0) - score(0, 5)) > 0.1);  // it knows the direction
  CHECK(std::abs(score(5, 0) - score(6, 0)) > 0.01);
}

TEST_CASE("pos-rope: the tables are as exact as the dtype, also after to() there and back") {
  nn::RoPE rope = rope_of(4, 2000);
  const Tensor x = tensor({1, 0, 1, 0}, DType::f64);
  const auto cosine = [&](DType dtype) { return at_position(rope, cast(x, dtype), 1999).at({0}); };
  for (const DType dtype : {DType::f64, DType::f32, DType::f16}) {
    rope.to(dtype);
    CHECK(cosine(DType::f64) == doctest::Approx(std::cos(1999.0)).epsilon(1e-12));
    CHECK(cosine(DType::f32) == doctest::Approx(std::cos(1999.0)).epsilon(1e-6));
    CHECK(cosine(DType::f16) == doctest::Approx(std::cos(1999.0)).epsilon(2e-3));
  }
}

TEST_CASE("pos-rope: has no parameters, and its tables are not saved") {
  nn::RoPE rope = rope_of(4);
  CHECK(rope.parameter_count() == 0);
  CHECK(rope.state_dict().empty());
  CHECK(rope.describe() == "RoPE(theta 10000)");
}

TEST_CASE("RoPE: errors") {
  CHECK_THROWS_WITH_AS(rope_of(3), "RoPE: turns pairs, so the head width must be even, got 3", ValueError);
  CHECK_THROWS_WITH_AS(rope_of(0), "RoPE: d_model must be positive, got 0", ValueError);
  nn::RoPE rope = rope_of(4, 8);
  const Tensor x = zeros({1, 3, 1, 4});
  CHECK(turned(rope, x, 5).shape() == x.shape());
  CHECK_THROWS_WITH_AS(turned(rope, x, 6), "RoPE: position 8 is beyond the table's last, 7; build it with a larger max_length", ValueError);
  CHECK_THROWS_WITH_AS(turned(rope, x, -3), "RoPE: positions count from 0, got -3", ValueError);
  CHECK_THROWS_WITH_AS(turned(rope, zeros({3, 4}), 0), "RoPE: expected [B, T, H, 4], got [3, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(turned(rope, zeros({1, 3, 1, 6}), 0), "RoPE: expected [B, T, H, 4], got [1, 3, 1, 6]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::rope(zeros({1, 3, 1, 5}), zeros({3, 3}), zeros({3, 3})),
                       "rope: x has shape [1, 3, 1, 5], so cosines and sines must have shape [3, n] or [1, 3, n] with "
                       "2n <= 5, got [3, 3] and [3, 3]",
                       ShapeError);
}

TEST_CASE("pos-rope: tables that are learned get their gradient, that of the formula") {
  const Tensor x = uniform({2, 3, 2, 4}, -1, 1, DType::f64);
  const auto through_table = [&](const Tensors& in) {
    const Tensor angle = outer(arange(0, 3, 1, DType::f64), in[0]);
    return nn::rope(x, cos(angle), sin(angle));
  };
  const GradcheckReport report = gradcheck(through_table, {tensor({1, 0.25}, DType::f64)});
  CHECK_MESSAGE(report.passed, report.text);
  const Tensor angle = draw({3, 2}, 11);
  for (const bool sines : {false, true}) {  // one of the two is learned
    const auto through_one = [&](const Tensors& in) { return sines ? nn::rope(x, cos(angle), in[0]) : nn::rope(x, in[0], sin(angle)); };
    const GradcheckReport of_one = gradcheck(through_one, {draw({3, 2}, 12)});
    CHECK_MESSAGE(of_one.passed, of_one.text);
  }
}

TEST_CASE("pos-rope-partial: tables of no pairs turn nothing") {
  const Tensor x = draw({1, 3, 2, 4}, 11), none = zeros({3, 0}, DType::f64);
  CHECK(equal(nn::rope(x, none, none), x));
  const Tensor empty = zeros({1, 3, 2, 0}, DType::f64);
  CHECK(equal(nn::rope(empty, none, none), empty));
}

TEST_CASE("pos-rope: a change of the tables between forward and backward is noticed") {
  const Tensor x = uniform({1, 3, 1, 4}).set_requires_grad();
  Tensor cosines = uniform({3, 2}), sines = uniform({3, 2});
  const Tensor y = nn::rope(x, cosines, sines);
  sines.fill(0);
  CHECK_THROWS_AS(sum(y).backward(), GraphError);
}
