// The encodings that are added to the embedding: sinusoidal, learned, recurrent.
#include "core/tensor/random.h"
#include "nn/block/multi_head_attention.h"
#include "nn/position/learned.h"
#include "nn/position/recurrent_position.h"
#include "nn/position/sinusoidal.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor code(double p, int64_t width) {  // PE(p)
  return nn::formula::sinusoidal(full({}, p, DType::f64), width);
}

}  // namespace

TEST_CASE("pos-sinusoidal: the table entry by entry, for even and odd widths") {
  const auto rows = read_fixture("position.safetensors").tensors;
  for (const int64_t width : {6, 7}) {
    CHECK(difference(nn::formula::sinusoidal(arange(9), width), rows.at(fmt::format("sinusoidal/{}", width)), 1e-14) == "");
  }
}

TEST_CASE("pos-sinusoidal, erratum-4: even dimensions are sines and odd ones cosines, at even and odd positions alike") {
  for (const double p : {0.0, 1.0, 2.0, 7.0}) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle = p / std::pow(10000.0, 2 * static_cast<double>(i) / 6);
      CHECK(code(p, 6).at({2 * i}) == doctest::Approx(std::sin(angle)).epsilon(1e-14));
      CHECK(code(p, 6).at({2 * i + 1}) == doctest::Approx(std::cos(angle)).epsilon(1e-14));
    }
  }
}

TEST_CASE("pos-sinusoidal: is added to the embedding, and rebuilt, not saved") {
  nn::SinusoidalPosition position(kSmall);
  const Tensor x = draw({2, 3, 8}), positions = tensor({4, 0, 9}, DType::i64);
  CHECK(difference(position.on_embedding(x, positions), x + nn::formula::sinusoidal(positions, 8), 1e-15) == "");
  CHECK(position.state_dict().empty());
  CHECK(position.describe() == "SinusoidalPosition(16 x 8)");
}

TEST_CASE(
    "convention-sinusoidal-interleaved-or-concatenated: the same numbers, sines and cosines in turn or one after the "
    "other") {
  for (const int64_t width : {1, 2, 7, 10}) {
    const Tensor turns = nn::formula::sinusoidal(arange(20), width);
    const Tensor halves = nn::formula::sinusoidal(arange(20), width, nn::SineLayout::concatenated);
    CHECK(equal(halves, cat({slice(turns, -1, 0, kToEnd, 2), slice(turns, -1, 1, kToEnd, 2)}, -1)));
  }
}

TEST_CASE(
    "pos-sinusoidal-shift, erratum-4: absolute, yet it holds relative information: the code of p + Δ is that of p, "
    "rotated by a matrix that knows Δ alone") {
  for (const double distance : {1.0, 7.0, -3.0, 0.5}) {
    const Tensor rotation = nn::formula::sinusoidal_shift(10, distance);
    CHECK(difference(matmul(rotation, rotation, {.transpose_b = true}), eye(10, -1, DType::f64), 1e-14) == "");
    for (const double p : {0.0, 4.0, 97.0}) CHECK(difference(matmul(rotation, code(p, 10)), code(p + distance, 10), 1e-13) == "");
  }
}

TEST_CASE("pos-sinusoidal-dot: PE(p) · PE(p ± Δ) = Σ cos ωΔ, a distance without a direction") {
  for (const double distance : {0.0, 1.0, 5.0, 30.0}) {
    const double expected = nn::formula::sinusoidal_dot(12, distance);
    for (const double p : {30.0, 41.0, 99.0}) {
      CHECK(dot(code(p, 12), code(p + distance, 12)).item() == doctest::Approx(expected).epsilon(1e-12));
      CHECK(dot(code(p, 12), code(p - distance, 12)).item() == doctest::Approx(expected).epsilon(1e-12));
    }
  }
  CHECK(nn::formula::sinusoidal_dot(12, 0) == 6);
}

TEST_CASE("pos-sinusoidal: another base gives other wavelengths, in the table, the rotation and the dot product alike") {
  CHECK(difference(nn::formula::sine_frequencies(4, 16), tensor({1, 0.25}, DType::f64), 1e-15) == "");
  const Tensor codes = nn::formula::sinusoidal(arange(9), 4, nn::SineLayout::interleaved, 16);
  CHECK(codes.at({8, 2}) == doctest::Approx(std::sin(2.0)).epsilon(1e-14));
  CHECK(difference(matmul(nn::formula::sinusoidal_shift(4, 3, 16), codes[5]), codes[8], 1e-14) == "");
  CHECK(nn::formula::sinusoidal_dot(4, 3, 16) == doctest::Approx(std::cos(3.0) + std::cos(0.75)).epsilon(1e-14));
}

TEST_CASE("pos-sinusoidal-dot: projections destroy it: PE(p)ᵀ W_qᵀ W_k PE(p + Δ) depends on p and on the direction") {
  const Tensor product = matmul(draw({12, 12}, 1), draw({12, 12}, 2), {.transpose_a = true});
  const auto score = [&](double p, double q) { return dot(code(p, 12), matmul(product, code(q, 12))).item(); };
  CHECK(std::abs(score(10, 15) - score(40, 45)) > 0.1);
  CHECK(std::abs(score(10, 15) - score(10, 5)) > 0.1);
}

TEST_CASE("pos-learned: one trained row per position; the gradient of a row is the sum over the samples") {
  nn::LearnedPosition position(kSmall);
  position.to(DType::f64);
  const Tensor x = draw({3, 4, 8});
  CHECK(difference(position.on_embedding(x, arange(4)), x + slice(position.weight.detach(), 0, 0, 4), 1e-15) == "");
  position.zero_grad();
  sum(position.on_embedding(x, arange(4))).backward();
  CHECK(to_vector(sum(position.weight.grad(), -1)) == [] {
    Values rows(16, 0);
    for (std::size_t i = 0; i < 4; ++i) rows[i] = 3 * 8;
    return rows;
  }());
}

TEST_CASE("pos-learned: past the table an error that says the way out, and extend() takes it") {
  manual_seed(1);
  nn::LearnedPosition position(kSmall);
  position.parameters();
  const Tensor x = zeros({1, 20, 8}), before = position.weight.detached_copy();
  CHECK_THROWS_WITH_AS(position.on_embedding(x, arange(20)),
                       "LearnedPosition: position 19 is beyond the table's last, 15; extend() adds untrained rows", ValueError);
  position.extend(4);
  CHECK(position.describe() == "LearnedPosition(20 x 8)");
  CHECK(equal(slice(position.weight.detach(), 0, 0, 16), before));
  CHECK(max(abs(slice(position.weight.detach(), 0, 16))).item() > 0);
  sum(position.on_embedding(x, arange(20))).backward();
  CHECK(position.parameters()[0].grad().shape() == Shape{20, 8});
  CHECK_THROWS_WITH_AS(position.extend(0), "LearnedPosition: the number of rows that extend adds must be positive, got 0", ValueError);
}

TEST_CASE("pos-rnn: reads the order, has no longest sequence, and goes on from its state") {
  manual_seed(2);
  nn::RecurrentPosition position(kSmall);
  position.to(DType::f64);
  const Tensor x = draw({2, 40, 8}), positions = arange(40), whole = position.on_embedding(x, positions);
  CHECK(difference(whole - x, position.rnn(x), 1e-15) == "");
  CHECK(difference(whole, nn::formula::recurrent_position(x, position.rnn), 1e-14) == "");
  Tensor state;
  Tensors pieces;
  for (const auto& [first, last] : {std::pair{0, 1}, {1, 7}, {7, 8}, {8, 40}}) {
    pieces.push_back(position.on_next_embedding(slice(x, 1, first, last), slice(positions, 0, first, last), state));
  }
  CHECK(difference(cat(pieces, 1), whole, 1e-14) == "");
}

TEST_CASE("positions: positions before the first are refused") {
  nn::SinusoidalPosition position(kSmall);
  CHECK_THROWS_WITH_AS(position.on_embedding(zeros({1, 1, 8}), tensor({-1}, DType::i64)),
                       "SinusoidalPosition: positions count from 0, got -1", ValueError);
  CHECK_THROWS_WITH_AS(position.on_embedding(zeros({1, 1, 8}), tensor({16}, DType::i64)),
                       "SinusoidalPosition: position 16 is beyond the table's last, 15; build it with a larger max_length", ValueError);
}
