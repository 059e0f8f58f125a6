// The experiments on positions: exact where theory is, and refuted where the wrong thing stands in place of the right.
#include <cmath>
#include <numbers>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/positions_measures.h"
#include "examples/shared/study/projected_scores.h"
#include "nn/position/rope.h"
#include "tests/examples/claims/verdict.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

nn::RoPE rope_of(int64_t width, const nn::RopeOptions& options = {}) {
  return nn::RoPE({.d_model = width, .heads = 1, .head_dim = width, .max_length = 4096}, options);
}

std::vector<double> hands_of(const nn::RopeOptions& options) {
  std::vector<double> values;
  for (const int64_t width : {16, 32, 64}) {
    nn::RoPE rope = rope_of(width, options);
    values.push_back(hands_together(rope, width));
  }
  return values;
}

}  // namespace

TEST_CASE("claim-rope-fast-and-slow-hands: of two hands: least of the greatest by greatest of the least") {
  double together = 2, fast = 2, slow = 2;
  for (int distance = 1; distance < 4096; ++distance) {  // a chord of an angle φ is 2 |sin φ/2|; ω is 1 and 1/100
    const double a = 2 * std::abs(std::sin(distance / 2.0)), b = 2 * std::abs(std::sin(distance / 200.0));
    together = std::min(together, std::max(a, b));
    fast = std::min(fast, a);
    slow = std::min(slow, b);
  }
  nn::RoPE rope = rope_of(4);
  CHECK(hands_together(rope, 4) == doctest::Approx(together / std::max(fast, slow)).epsilon(1e-9));
}

TEST_CASE("claim-rope-fast-and-slow-hands: hands of one speed are no better together, and refute it") {
  const std::vector<double> one_speed = hands_of({.theta = 1});
  for (const double value : one_speed) CHECK(value == doctest::Approx(1).epsilon(1e-12));
  CHECK(verdict_of("claim-rope-fast-and-slow-hands", one_speed) == Verdict::refuted);
  CHECK(verdict_of("claim-rope-fast-and-slow-hands", hands_of({})) == Verdict::confirmed);
}

TEST_CASE("claim-position-relative, claim-position-unique: RoPE is both, Shaw's rows are relative, a table is unique") {
  std::vector<double> rope, shaw, table, rope_apart, shaw_apart, table_apart;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    rope.push_back(unexplained_by_distance("rope", seed));
    shaw.push_back(unexplained_by_distance("shaw", seed));
    table.push_back(unexplained_by_distance("learned", seed));
    rope_apart.push_back(distinctness("rope", 32, seed));
    shaw_apart.push_back(distinctness("shaw", 32, seed));  // its reach is 16
    table_apart.push_back(distinctness("learned", 32, seed));
  }
  CHECK(std::abs(rope[0]) < 1e-12);
  CHECK(shaw_apart == std::vector<double>{-16, -16, -16});
  CHECK(distinctness("shaw", 16, 0) > -6);
  CHECK(verdict_of("claim-position-relative", rope) == Verdict::confirmed);
  CHECK(verdict_of("claim-position-relative", shaw) == Verdict::confirmed);
  CHECK(verdict_of("claim-position-relative", table) == Verdict::refuted);
  CHECK(verdict_of("claim-position-unique", rope_apart) == Verdict::confirmed);
  CHECK(verdict_of("claim-position-unique", shaw_apart) == Verdict::refuted);
  CHECK(verdict_of("claim-position-unique", table_apart) == Verdict::confirmed);
}

TEST_CASE("claim-position-extrapolates: rows that no text reached leave nothing of looking back, distances leave all") {
  constexpr double chance = 1 - 1.0 / 16;
  const auto left = [](const std::vector<double>& wrong) { return (chance - wrong.back()) / (chance - wrong[0]); };
  CHECK(left(look_back_wrong("learned", 120, 0, {2})) < 0.2);
  const std::vector<double> shaw = look_back_wrong("shaw", 120, 0, {2, 4});
  REQUIRE(shaw.size() == 3);
  CHECK(left(shaw) > 0.9);
}

TEST_CASE("claim-projection-destroys-sinusoidal-distance: with W_k = W_q the scores are symmetric, with two matrices not") {
  Generator random(3);
  const Tensor table = randn({10, 32}, DType::f64, random);
  const Tensor one = projected_scores(table, 8, random, true), two = projected_scores(table, 8, random);
  CHECK(difference(one, transpose(one), 1e-12) == "");
  CHECK(max(abs(two - transpose(two))).item() > 0.1);
  CHECK(share_after_projection(true, 0) > share_after_projection(false, 0) + 0.2);
}

TEST_CASE("erratum-4: a table that does alternate from token to token confirms its sentence, the layer's refutes it") {
  const RowsAt layer = sinusoidal_layer(8);
  const RowsAt by_parity = [](const Tensor& positions) {
    std::vector<double> rows;
    for (const double p : to_vector(cast(positions, DType::f64))) {
      for (int i = 0; i < 4; ++i) {
        const double angle = p * std::pow(10000, -2.0 * i / 8);
        rows.insert(rows.end(), 2, std::fmod(p, 2) == 0 ? std::sin(angle) : std::cos(angle));
      }
    }
    return reshape(tensor(rows, DType::f64), {positions.numel(), 8});
  };
  const RowsAt nowhere = [&](const Tensor& positions) { return layer(zeros(positions.shape(), DType::i64)); };
  CHECK(apart_from_parity(by_parity, 8) < 1e-12);
  CHECK(apart_from_parity(layer, 8) > 0.1);
  CHECK(apart_after_shift(nowhere) == 0);
  CHECK(apart_after_shift(layer) > 0.1);
}

TEST_CASE("erratum-9: a layer that does take the model's width, or degrees, confirms its sentence, RoPE refutes it") {
  nn::RoPE rope = rope_of(16);
  nn::RoPE of_model = rope_of(16, {.theta = 10});  // 10^(-2k/16) = 10000^(-2k/64)
  nn::RoPE degrees = rope_of(16, {.scaling = nn::RopeScaling::interpolation, .factor = 180 / std::numbers::pi});
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    CHECK(apart_from_angles(rope, 16, 16, 1, seed) < 1e-9);
    CHECK(apart_from_angles(rope, 16, 64, 1, seed) > 0.1);
    CHECK(apart_from_angles(of_model, 16, 64, 1, seed) < 1e-9);
    CHECK(apart_from_angles(rope, 16, 16, kDegree, seed) > 0.1);
    CHECK(apart_from_angles(degrees, 16, 16, kDegree, seed) < 1e-9);
  }
}

TEST_CASE("erratum-12: √p does slow down with the position; and the yellow right half is that of sines, then cosines") {
  const Tensor roots = sqrt(cast(arange(100), DType::f64));
  CHECK(change_in_later_half(unsqueeze(roots, 1), 0) < 0.5);
  // Two columns, of steps 1 and 3: a third of the change is in the first.
  const Tensor p = cast(arange(10), DType::f64);
  CHECK(change_in_later_half(stack({p, 3 * p}, 1), 1) == doctest::Approx(3).epsilon(1e-12));
  const auto yellow = [](nn::SineLayout layout) {
    const Tensor right = slice(nn::formula::sinusoidal(arange(100), 512, layout), 1, 256);
    return mean(cast(right > 0.8, DType::f64)).item();
  };
  CHECK(yellow(nn::SineLayout::concatenated) > 0.6);
  CHECK(yellow(nn::SineLayout::interleaved) < 0.6);
}
