// FIRE: its bias number by number, and where it depends on distances alone.
#include "nn/position/fire.h"

#include <cmath>

#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// f(share) = share for the first head and 5 - 2 share for the second; |c| = 0.3, and L = 1.5 · 4 = 6.
nn::FirePosition known_fire() {
  nn::FirePosition position(kSmall, {.hidden = 1, .threshold = 4});
  position.to(DType::f64);
  position.inner.weight.fill(1);
  position.inner.bias.fill(0);
  position.outer.weight.assign(tensor({{1}, {-2}}, DType::f64));
  position.outer.bias.assign(tensor({0, 5}, DType::f64));
  position.c.fill(-0.3);
  position.factor.fill(-1.5);
  return position;
}
constexpr double kLength = 6;

double psi(double x) { return std::log(0.3 * x + 1); }

// [1, H, T, T], of positions first, first + 1, ….
Tensor bias_from(nn::FirePosition& position, int64_t first, int64_t count) {
  const Tensor any = zeros({1, count, kSmall.heads, kSmall.head_dim}, DType::f64);
  const Tensor positions = arange(count) + static_cast<double>(first);
  const Tensor bias = position.on_scores(any, any, {positions, positions}, 1);
  return reshape(bias, {kSmall.heads, count, count});
}

}  // namespace

TEST_CASE("pos-fire: f(ψ(|i - j|) / ψ(max(L, i))), ψ(x) = log(|c| x + 1), entry by entry, on both sides of L") {
  nn::FirePosition position = known_fire();
  const Tensor bias = bias_from(position, 0, 12);
  for (int64_t i = 0; i < 12; ++i) {
    for (int64_t j = 0; j < 12; ++j) {
      const auto distance = static_cast<double>(std::abs(i - j));
      const double share = psi(distance) / psi(std::max(kLength, static_cast<double>(i)));
      CHECK(bias.at({0, i, j}) == doctest::Approx(share).epsilon(1e-13));
      CHECK(bias.at({1, i, j}) == doctest::Approx(5 - 2 * share).epsilon(1e-13));
    }
  }
}

TEST_CASE("pos-fire: up to position L the distance alone counts; beyond, the same distance weighs ψ(L) / ψ(i) as much") {
  nn::FirePosition position = known_fire();
  const Tensor start = bias_from(position, 0, 4);
  for (const int64_t first : {1, 2, 3}) CHECK(equal(bias_from(position, first, 4), start));  // 3 + 3 is L
  for (const int64_t first : {4, 9, 1000}) {
    const Tensor moved = bias_from(position, first, 4);
    for (int64_t i = 0; i < 4; ++i) {
      const double weight = psi(kLength) / psi(std::max(kLength, static_cast<double>(first + i)));
      for (int64_t j = 0; j < 4; ++j) {
        CHECK(moved.at({0, i, j}) == doctest::Approx(weight * start.at({0, i, j})).epsilon(1e-13));
      }
    }
    CHECK(moved.at({0, 3, 0}) < 0.98 * start.at({0, 3, 0}));
  }
}

TEST_CASE("pos-fire: beyond L only the share of the own position counts, so a longer sequence looks the same") {
  nn::FirePosition position = known_fire();
  position.c.fill(1e9);  // so that ψ(x) is a logarithm, nearly
  const auto share = [&](int64_t i, int64_t j) { return bias_from(position, 0, i + 1).at({0, i, j}); };
  CHECK(share(8, 8) == share(12, 12));
  CHECK(share(8, 0) == doctest::Approx(share(12, 0)).epsilon(1e-12));
}
