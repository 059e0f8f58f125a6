// xPos: how its scores fade, where it is centred, and how far its factors reach.
#include "nn/position/xpos.h"

#include <cmath>
#include <limits>

#include "nn/block/multi_head_attention.h"
#include "nn/position/rope.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::PositionOptions of_length(int64_t max_length) { return {.d_model = 4, .heads = 1, .head_dim = 4, .max_length = max_length}; }

Tensor one_token(const Tensor& vector, DType dtype) { return cast(reshape(vector, {1, 1, 1, 4}), dtype); }
Tensor place(int64_t p) { return arange(1) + static_cast<double>(p); }

// q at n with k at m.
double score(nn::PositionEncoding& position, const Tensor& q, const Tensor& k, int64_t n, int64_t m, DType dtype = DType::f64) {
  const Tensor query = position.on_queries(one_token(q, dtype), place(n)), key = position.on_keys(one_token(k, dtype), place(m));
  return dot(flatten(cast(query, DType::f64)), flatten(cast(key, DType::f64))).item();
}

const Values kZeta{0.4 / 1.4, 0.9 / 1.4};  // of the two pairs

double score_in_numbers(const Tensor& q, const Tensor& k, int64_t n, int64_t m) {
  const auto distance = static_cast<double>(n - m);
  double sum = 0;
  for (const int64_t pair : {0, 1}) {
    const double a = q.at({2 * pair}), b = q.at({2 * pair + 1}), c = k.at({2 * pair}), d = k.at({2 * pair + 1});
    const double angle = distance * (pair == 0 ? 1 : 0.01);
    const double turned = (a * c + b * d) * std::cos(angle) + (b * c - a * d) * -std::sin(angle);
    sum += std::pow(kZeta[static_cast<std::size_t>(pair)], distance / 512) * turned;
  }
  return sum;
}

}  // namespace

TEST_CASE("pos-xpos: RoPE, times ζ_k^((n-m)/512): the scores of a pair fade with distance and depend on it alone") {
  nn::XPos xpos(of_length(600));
  nn::RoPE rope(of_length(600));
  const Tensor fast = tensor({1, 0, 0, 0}, DType::f64), slow = tensor({0, 0, 1, 0}, DType::f64);
  for (const int64_t m : {0, 30, 80}) {
    const int64_t n = m + 512;
    CHECK(score(xpos, fast, fast, n, m) == doctest::Approx(0.4 / 1.4 * score(rope, fast, fast, n, m)).epsilon(1e-10));
    CHECK(score(xpos, slow, slow, n, m) == doctest::Approx(0.9 / 1.4 * score(rope, slow, slow, n, m)).epsilon(1e-10));
  }
}

TEST_CASE("pos-xpos, convention-xpos-centre: factors are 1 at ⌊max_length / 2⌋; from 0 keys would be ζ^(-c/512) as large") {
  for (const int64_t length : {600, 601}) {
    nn::XPos xpos(of_length(length));
    nn::RoPE rope(of_length(length));
    const Tensor x = one_token(draw({4}), DType::f64);
    CHECK(difference(xpos.on_queries(x, place(300)), rope.on_queries(x, place(300)), 1e-15) == "");
    CHECK(difference(xpos.on_keys(x, place(300)), rope.on_keys(x, place(300)), 1e-15) == "");
    for (const int64_t p : {0, 17, 599}) {  // counted from 0, a key at p is ζ^(-p/512) times RoPE's
      const Tensor ratio = flatten(xpos.on_keys(x, place(p)) / rope.on_keys(x, place(p)));
      for (const int64_t i : {0, 1, 2, 3}) {
        const double from_zero = std::pow(kZeta[static_cast<std::size_t>(i / 2)], -static_cast<double>(p) / 512);
        const double centring = std::pow(kZeta[static_cast<std::size_t>(i / 2)], 300.0 / 512);
        CHECK(ratio.at({i}) == doctest::Approx(from_zero * centring).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("pos-xpos: γ, base and θ are those of the options") {
  const Tensor fast = tensor({1, 0, 0, 0}, DType::f64), slow = tensor({0, 0, 1, 0}, DType::f64);
  nn::XPos other(of_length(64), {.theta = 100, .gamma = 0.5, .base = 20});
  CHECK(score(other, fast, fast, 45, 5) == doctest::Approx(std::pow(0.5 / 1.5, 2) * std::cos(40)).epsilon(1e-12));
  CHECK(score(other, slow, slow, 45, 5) == doctest::Approx(std::pow(1 / 1.5, 2) * std::cos(4)).epsilon(1e-12));
}

// Keys of the past stay as they were made, while the sequence grows.
TEST_CASE("pos-xpos, attn-kv-cache: scores with cached keys are those without, however the sequence is cut") {
  const nn::PositionOptions options{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 4096};
  const auto position = std::make_shared<nn::XPos>(options);
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 2, .causal = true}, position);
  layer.to(DType::f64);
  const Tensor x = draw({1, 6, 8}), positions = tensor({0, 900, 1800, 2700, 3600, 4095}, DType::i64);
  const Tensor whole = layer(x, {.positions = positions});
  for (const int64_t cut : {1, 3, 5}) {
    nn::KeyValueCache cache;
    const auto piece = [&](int64_t first, int64_t last) {
      return layer(slice(x, 1, first, last), {.positions = slice(positions, 0, first, last), .cache = &cache});
    };
    const Tensor past = piece(0, cut), next = piece(cut, 6);
    CHECK(difference(cat({past, next}, 1), whole, 1e-13) == "");
  }
}

TEST_CASE("pos-xpos: scores are right at both ends of sequences whose keys, counted from 0, f16 and f32 would not hold") {
  for (const auto& [dtype, length, tolerance] : {std::tuple{DType::f16, int64_t{9065}, 4e-3}, {DType::f32, int64_t{72521}, 2e-6}}) {
    CAPTURE(dtype);
    const double from_zero = std::pow(kZeta[0], -static_cast<double>(length - 1) / 512);
    CHECK(isfinite(cast(tensor(from_zero, DType::f64), dtype)).item() == 0);
    nn::XPos xpos(of_length(length));
    const Tensor q = tensor({0.5, -0.25, 0.75, 0.5}, DType::f64), k = tensor({-0.5, 0.75, 0.5, 0.25}, DType::f64);
    for (const int64_t m : {int64_t{0}, int64_t{1}, length / 4, length / 2, length - 300}) {
      for (const int64_t distance : {0, 1, 7, 299}) {
        CAPTURE(m);
        CAPTURE(distance);
        CHECK(std::abs(score(xpos, q, k, m + distance, m, dtype) - score_in_numbers(q, k, m + distance, m)) < tolerance);
      }
    }
  }
}

TEST_CASE("pos-xpos: a length whose first factor a dtype does not hold is refused in that dtype alone") {
  for (const auto& [dtype, longest] : {std::pair{DType::f16, 9065}, {DType::f32, 72521}}) {
    CAPTURE(dtype);
    // c = ⌊max_length / 2⌋ with ζ_0^(-c/512) <= the largest number
    const double largest = dtype == DType::f16 ? 65504.0 : 0x1.fffffep127;
    CHECK(longest == 2 * static_cast<int>(512 * std::log(largest) / -std::log(kZeta[0])) + 1);
  }
  nn::XPos xpos(of_length(9066));
  const Tensor x = draw({4});
  CHECK_NOTHROW(xpos.on_keys(one_token(x, DType::f32), place(0)));
  CHECK_THROWS_WITH_AS(xpos.on_keys(one_token(x, DType::f16), place(4000)),
                       "XPos: of 9066 positions the first is multiplied by up to e^11.1, more than f16 holds; take a wider "
                       "dtype or a smaller max_length",
                       ValueError);
  CHECK_THROWS_AS(xpos.on_queries(one_token(x, DType::f16), place(4000)), ValueError);
  nn::XPos longer(of_length(72522));
  CHECK_NOTHROW(longer.on_keys(one_token(x, DType::f64), place(0)));
  CHECK_THROWS_AS(longer.on_keys(one_token(x, DType::f32), place(0)), ValueError);
  const Tensor one = ones({1, 1, 1, 4}, DType::f64);  // in f64 some versions of exp end a little before the largest number
  CHECK(max(abs(nn::XPos(of_length(579889)).on_keys(one, place(579888)))).item() < std::numeric_limits<double>::infinity());
  const double largest = std::log(std::numeric_limits<double>::max());
  const int beyond = 2 * static_cast<int>(512 * largest / -std::log(kZeta[0])) + 2;
  CHECK_THROWS_AS(nn::XPos(of_length(beyond)).on_keys(one, place(0)), ValueError);
}

TEST_CASE("XPos: errors of its options") {
  CHECK_THROWS_WITH_AS(nn::XPos({.d_model = 4, .heads = 1, .head_dim = 4, .max_length = 8, .causal = false}),
                       "XPos: scores grow towards later keys, so it needs causal attention", ValueError);
  CHECK_THROWS_WITH_AS(nn::XPos({.d_model = 3, .heads = 1, .head_dim = 3, .max_length = 8}),
                       "XPos: turns pairs, so the head width must be even, got 3", ValueError);
}
