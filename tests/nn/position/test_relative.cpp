// What is particular to each of the encodings that act on scores and values, and their errors.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/block/multi_head_attention.h"
#include "nn/position/alibi.h"
#include "nn/position/cope.h"
#include "nn/position/fire.h"
#include "nn/position/kerple.h"
#include "nn/position/shaw.h"
#include "nn/position/sinusoidal.h"
#include "nn/position/t5.h"
#include "nn/position/transformer_xl.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// What is added to the scores, [.., H, T, S], of queries that do not matter.
Tensor bias_of(nn::PositionEncoding& position, const nn::PositionOptions& o, int64_t length) {
  const Tensor x = zeros({1, length, o.heads, o.head_dim}, DType::f64), positions = arange(length);
  return position.on_scores(x, x, {positions, positions}, 1);
}

nn::PositionOptions with_heads(int64_t heads) { return {.d_model = 4 * heads, .heads = heads, .head_dim = 4, .max_length = 16}; }

Tensor halvings(const Values& exponents) {  // 2^-e
  return pow(full({}, 2, DType::f64), -from_vector(exponents, {static_cast<int64_t>(exponents.size())}));
}

}  // namespace

TEST_CASE("pos-alibi: slopes 2^(-8h/H), and a bias that falls with the distance, the same everywhere") {
  CHECK(difference(nn::alibi_slopes(8), halvings({1, 2, 3, 4, 5, 6, 7, 8}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(2), halvings({4, 8}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(1), halvings({8}), 1e-15) == "");
  for (const int64_t heads : {int64_t{0}, int64_t{-5}, int64_t{65537}, int64_t{1} << 62, INT64_MAX}) {
    CHECK_THROWS_WITH_AS(nn::alibi_slopes(heads), fmt::format("alibi_slopes: needs from 1 to 65536 heads, got {}", heads).c_str(),
                         ValueError);
  }
  nn::ALiBi position(with_heads(2));
  const Tensor bias = bias_of(position, with_heads(2), 4);
  CHECK(difference(select(bias, 0, 0), tensor({{0, -1, -2, -3}, {-1, 0, -1, -2}, {-2, -1, 0, -1}, {-3, -2, -1, 0}}, DType::f64) / 16,
                   1e-15) == "");
}

TEST_CASE(
    "convention-alibi-odd-heads: the authors' code takes every second slope of the next power of two, the text does "
    "not") {
  CHECK(difference(nn::alibi_slopes(3), halvings({4, 8, 2}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(5), halvings({2, 4, 6, 8, 1}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(7), halvings({2, 4, 6, 8, 1, 3, 5}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(6), halvings({2, 4, 6, 8, 1, 3}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(12), halvings({1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5}), 1e-15) == "");
  CHECK(difference(nn::alibi_slopes(3, nn::AlibiSlopes::text), halvings({8.0 / 3, 16.0 / 3, 8}), 1e-15) == "");
  for (const int64_t heads : {1, 2, 4, 16}) {
    CHECK(equal(nn::alibi_slopes(heads), nn::alibi_slopes(heads, nn::AlibiSlopes::text)));
  }
}

TEST_CASE("pos-t5: the bucket of every distance, causal and two-sided") {
  const auto rows = read_fixture("position.safetensors").tensors;
  const Tensor offsets = arange(-150, 151, 1, DType::i64);
  CHECK(equal(nn::t5_buckets(offsets, true), rows.at("t5_buckets/causal")));
  CHECK(equal(nn::t5_buckets(offsets, false), rows.at("t5_buckets/two_sided")));
}

TEST_CASE("pos-t5: of an odd number of buckets on a side the exact ones are the smaller half") {
  const Tensor buckets = nn::t5_buckets(-arange(21), false, {.buckets = 14, .max_distance = 20});  // 3 + ⌊4 log(d/3) / log(20/3)⌋
  CHECK(to_vector(buckets) == Values{0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6});
}

TEST_CASE("pos-t5: the farthest offsets that there are fall into the last buckets") {
  const Tensor offsets = from_vector(std::vector<int64_t>{INT64_MIN, -INT64_MAX, INT64_MAX}, {3});
  CHECK(equal(nn::t5_buckets(offsets, true), tensor({31, 31, 0}, DType::i64)));
  CHECK(equal(nn::t5_buckets(offsets, false), tensor({15, 15, 31}, DType::i64)));
}

TEST_CASE("convention-t5-unscaled: T5's own scores are not divided by √d_head") {
  const auto position = std::make_shared<nn::T5Position>(kSmall);
  nn::MultiHeadAttention scaled({.d_model = 8, .heads = 2, .causal = true}, position),
      unscaled({.d_model = 8, .heads = 2, .causal = true, .scale = 1}, position);
  unscaled.load_state_dict(scaled.state_dict());
  Tensor& q = scaled.q_proj.weight;
  const Tensor x = cast(draw({1, 5, 8}), DType::f32);
  CHECK(max_difference(unscaled(x), scaled(x)) > 1e-3);
  q.assign(2 * q.detach());  // √4: the exact difference
  CHECK(difference(unscaled(x), scaled(x), 1e-6) == "");
}

TEST_CASE("pos-relative-shaw: beyond its reach all distances are one") {
  nn::ShawPosition position(kSmall, 2);
  position.to(DType::f64);
  const Tensor q = expand(draw({1, 1, 2, 4}), {1, 8, 2, 4}), positions = arange(8);
  const Tensor scores = position.on_scores(q, q, {positions, positions}, 1);  // [1, 2, 8, 8]
  const auto at = [&](int64_t i, int64_t j) { return scores.at({0, 1, i, j}); };
  for (const int64_t j : {0, 1, 2, 3, 4}) CHECK(at(7, j) == doctest::Approx(at(7, 5)).epsilon(1e-14));
  CHECK(std::abs(at(7, 5) - at(7, 6)) > 1e-6);
  CHECK(at(6, 5) == doctest::Approx(at(3, 2)).epsilon(1e-14));
  CHECK(std::abs(at(3, 4) - at(4, 3)) > 1e-6);  // it knows the direction
}

TEST_CASE("pos-relative-xl: scores are ((q_i + u) · k_j + (q_i + v) · W_R R_(i-j)) · scale, entry by entry") {
  nn::TransformerXLPosition position(kSmall);
  position.to(DType::f64);
  position.content_bias.assign(draw({2, 4}, 1));
  position.distance_bias.assign(draw({2, 4}, 2));
  const Tensor q = draw({1, 5, 2, 4}, 3), k = draw({1, 5, 2, 4}, 4), positions = arange(5);
  const Tensor added = position.on_scores(q, k, {positions, positions}, 0.5);  // what is added to scale · q · k
  for (int64_t i = 0; i < 5; ++i) {
    for (int64_t j = 0; j < 5; ++j) {
      const Tensor waves = nn::formula::sinusoidal(full({}, static_cast<double>(i - j), DType::f64), 8);
      const Tensor distance = reshape(position.distance_proj(waves), {2, 4});
      for (int64_t h = 0; h < 2; ++h) {
        const auto of = [&](const Tensor& x, int64_t t) { return select(select(select(x, 0, 0), 0, t), 0, h); };
        const Tensor u = select(position.content_bias, 0, h), v = select(position.distance_bias, 0, h);
        const double score = 0.5 * (dot(of(q, i) + u, of(k, j)) + dot(of(q, i) + v, select(distance, 0, h))).item();
        CHECK(added.at({0, h, i, j}) == doctest::Approx(score - 0.5 * dot(of(q, i), of(k, j)).item()).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("pos-relative-xl: the waves are as wide as the model, whatever the heads have") {
  const nn::PositionOptions o{.d_model = 6, .heads = 2, .head_dim = 4, .max_length = 16};
  nn::TransformerXLPosition position(o);
  position.to(DType::f64);
  CHECK(bias_of(position, o, 5).shape() == Shape{1, 2, 5, 5});
}

TEST_CASE("pos-kerple: falls with distance, and its parameters are kept in their range") {
  for (const nn::KerpleForm form : {nn::KerpleForm::logarithmic, nn::KerpleForm::power}) {
    nn::KerplePosition position(kSmall, form);
    position.to(DType::f64);
    position.r1.assign(tensor({-0.5, 0.5}));
    const bool logarithmic = form == nn::KerpleForm::logarithmic;
    for (const double r2 : {-9.0, -3.0, -0.5, 0.0, 0.5, 1.99, 2.0, 2.01, 2.5, 4.0, 5.0, 8.5}) {
      position.r2.fill(r2);
      const Tensor bias = bias_of(position, kSmall, 9);
      const double in_range = logarithmic ? std::abs(r2) : std::abs(std::remainder(r2, 4));
      const double farthest = logarithmic ? std::log(1 + in_range * 8) : std::pow(8, in_range);
      CHECK(bias.at({0, 8, 0}) == doctest::Approx(-0.5 * farthest).epsilon(1e-12));
      CHECK(bias.at({1, 8, 0}) == bias.at({0, 8, 0}));
      CHECK(bias.at({1, 3, 3}) == 0);
    }
  }
}

TEST_CASE("pos-kerple: a parameter beyond its range still learns: its gradient is that of differences") {
  for (const nn::KerpleForm form : {nn::KerpleForm::logarithmic, nn::KerpleForm::power}) {
    nn::KerplePosition position(kSmall, form);
    const TensorFunction f = [&](const Tensors& in) {
      static_cast<Tensor&>(position.r1) = in[0];
      static_cast<Tensor&>(position.r2) = in[1];
      return bias_of(position, kSmall, 4);
    };
    const Tensor r1 = tensor({-1, 0.005}, DType::f64).set_requires_grad(), r2 = tensor({3, -0.7}, DType::f64).set_requires_grad();
    const GradcheckReport report = gradcheck(f, {r1, r2});
    CHECK_MESSAGE((report.passed && report.kinks == 0), report.text);
    for (const Tensor& slope : grad({sum(f({r1, r2}))}, {r1, r2})) CHECK(min(abs(slope)).item() > 0.01);
  }
}

TEST_CASE("pos-cope: with open gates it counts positions, with closed gates nothing") {
  nn::CoPE position(kSmall, 16);
  position.to(DType::f64);
  position.weight.assign(expand(reshape(arange(16), {16, 1}), {16, 4}));  // q · e[p] = 4p for q = 1
  const Tensor one = ones({1, 6, 2, 4}, DType::f64), positions = arange(6);
  const Tensor open = position.on_scores(one, one, {positions, positions}, 100);
  const Tensor closed = position.on_scores(one, -one, {positions, positions}, 100);
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      CHECK(open.at({0, 1, i, j}) == doctest::Approx(4 * static_cast<double>(i - j + 1)).epsilon(1e-12));
      CHECK(closed.at({0, 1, i, j}) == doctest::Approx(0));
    }
  }
}

TEST_CASE("positions: options that make no sense are refused") {
  nn::PositionOptions two_sided = kSmall;
  two_sided.causal = false;
  CHECK_THROWS_WITH_AS(nn::CoPE{two_sided}, "CoPE: counts the keys up to the query, so it needs causal attention", ValueError);
  CHECK_THROWS_WITH_AS(nn::CoPE(kSmall, 0), "CoPE: the number of positions must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::ShawPosition(kSmall, 0), "ShawPosition: the reach must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::T5Position(kSmall, {.buckets = 5}), "T5Position: needs an even number of at least 4 buckets, got 5", ValueError);
  CHECK_THROWS_WITH_AS(nn::T5Position(kSmall, {.max_distance = 16}),
                       "T5Position: max_distance must be above 16, half of the buckets, got 16", ValueError);
  CHECK_THROWS_WITH_AS(nn::FirePosition(kSmall, {.threshold = 0}), "FirePosition: the threshold must be finite and positive, got 0",
                       ValueError);
}
