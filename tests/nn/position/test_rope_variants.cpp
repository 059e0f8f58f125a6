// RoPE's layouts, its partial width, and its ways to longer contexts.
#include <cmath>

#include "nn/position/rope.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double kPi = 3.14159265358979323846;

nn::RoPE variant_of(const nn::RopeOptions& options, int64_t head_dim = 8, int64_t max_length = 64) {
  return nn::RoPE({.d_model = head_dim, .heads = 1, .head_dim = head_dim, .max_length = max_length}, options);
}

Tensor query_at(nn::PositionEncoding& rope, const Tensor& x, int64_t p) {  // one vector [d] as a query at position p
  return flatten(rope.on_queries(reshape(x, {1, 1, 1, -1}), arange(1) + static_cast<double>(p)));
}

double turned_by(nn::RoPE& rope, int64_t pair, int64_t p) {  // the angle of a pair, in (-π, π]
  const Tensor y = query_at(rope, tensor({1, 0, 1, 0, 1, 0, 1, 0}, DType::f64), p);
  return std::atan2(y.at({2 * pair + 1}), y.at({2 * pair}));
}

}  // namespace

TEST_CASE("pos-rope, pos-rope-half, pos-rope-partial: the fast path is the formula, for positions of a batch too") {
  for (const nn::RopeLayout layout : {nn::RopeLayout::pairs, nn::RopeLayout::halves}) {
    for (const Shape& angles : {Shape{3, 3}, Shape{3, 2}, Shape{2, 3, 1}}) {
      const Tensor angle = draw(angles, 6);
      const TensorFunction fast = [=](const Tensors& in) {
        return nn::rope(in[0], cast(cos(angle), in[0].dtype()), cast(sin(angle), in[0].dtype()), layout);
      };
      const TensorFunction formula = [=](const Tensors& in) {
        return nn::formula::rope(in[0], cast(cos(angle), in[0].dtype()), cast(sin(angle), in[0].dtype()), layout);
      };
      CHECK(check_fused("rope", fast, formula, {draw({2, 3, 2, 6})}) == "");
    }
  }
}

TEST_CASE(
    "pos-rope-half, pos-rope-half-permutation, convention-rope-pairs-or-halves: one permutation leads from the one layout "
    "to the other") {
  nn::RoPE pairs = variant_of({}), halves = variant_of({.layout = nn::RopeLayout::halves});
  const Tensor to_halves = nn::halves_from_pairs(8), to_pairs = nn::pairs_from_halves(8);
  CHECK(to_vector(to_halves) == Values{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(equal(index_select(to_halves, 0, to_pairs), arange(8)));
  const Tensor x = draw({2, 5, 3, 8}), positions = arange(5) + 7.0;
  const auto permuted = [](const Tensor& y, const Tensor& ids) { return index_select(y, -1, ids); };
  const Tensor there_and_back = permuted(halves.on_queries(permuted(x, to_halves), positions), to_pairs);
  CHECK(difference(there_and_back, pairs.on_queries(x, positions), 1e-15) == "");  // a compiler may fuse one a·b + c·d otherwise
  CHECK(max_difference(halves.on_queries(x, positions), pairs.on_queries(x, positions)) > 0.1);
  CHECK_THROWS_WITH_AS(nn::halves_from_pairs(5), "halves_from_pairs: the width must be even, got 5", ValueError);
}

TEST_CASE("pos-rope-relative: ⟨R_m q, R_n k⟩ = qᵀ R_(n-m) k, whatever m") {
  nn::RoPE rope = variant_of({});
  const Tensor q = draw({8}, 1), k = draw({8}, 2);
  for (const auto& [m, n] : {std::pair{0, 0}, {5, 2}, {40, 37}, {2, 5}, {9, 60}}) {
    const double expected = nn::formula::rope_relative(q, k, n - m).item();
    CHECK(dot(query_at(rope, q, m), query_at(rope, k, n)).item() == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("pos-rope-partial: the first numbers of a head turn as a head of that width, the others pass") {
  nn::RoPE partial = variant_of({.width = 4}), narrow = variant_of({}, 4);
  const Tensor x = draw({1, 6, 2, 8}), positions = arange(6), y = partial.on_keys(x, positions);
  CHECK(equal(slice(y, -1, 4), slice(x, -1, 4)));
  CHECK(equal(slice(y, -1, 0, 4), narrow.on_keys(slice(x, -1, 0, 4), positions)));
}

TEST_CASE("pos-rope-interpolation: position p turns as p / s did") {
  nn::RoPE plain = variant_of({}), longer = variant_of({.scaling = nn::RopeScaling::interpolation, .factor = 4});
  const Tensor x = draw({8});
  for (const int64_t p : {0, 1, 5, 15}) CHECK(difference(query_at(longer, x, 4 * p), query_at(plain, x, p), 1e-14) == "");
}

TEST_CASE("pos-rope-ntk: the fastest pair keeps its speed, the slowest is interpolated fully, those between in part") {
  const Tensor plain = nn::rope_frequencies(8, {}, 0);
  const Tensor longer = nn::rope_frequencies(8, {.scaling = nn::RopeScaling::ntk, .factor = 4}, 0), ratio = plain / longer;
  CHECK(ratio.at({0}) == 1);
  CHECK(ratio.at({3}) == doctest::Approx(4).epsilon(1e-12));
  CHECK(ratio.at({1}) == doctest::Approx(std::pow(4, 1 / 3.0)).epsilon(1e-12));
  CHECK(equal(nn::rope_frequencies(2, {.scaling = nn::RopeScaling::ntk, .factor = 4}, 0), ones({1}, DType::f64)));
}

TEST_CASE("pos-yarn: pairs of over 32 turns keep their speed, of less than one are interpolated; scores are sharper") {
  const auto rows = read_fixture("position.safetensors").tensors;
  const Tensor frequency = nn::rope_frequencies(6, {.scaling = nn::RopeScaling::yarn, .factor = 4}, 1024);
  CHECK(difference(outer(arange(0, 64, 1, DType::f64), frequency), rows.at("rope_yarn/angles"), 1e-14) == "");
  const Tensor plain = nn::rope_frequencies(16, {}, 0), turns = plain * (512 / (2 * kPi));
  const Tensor ratio = plain / nn::rope_frequencies(16, {.scaling = nn::RopeScaling::yarn, .factor = 4}, 512);
  for (int64_t k = 0; k < 8; ++k) {
    if (turns.at({k}) > 32) CHECK(ratio.at({k}) == doctest::Approx(1).epsilon(1e-12));
    if (turns.at({k}) < 1) CHECK(ratio.at({k}) == doctest::Approx(4).epsilon(1e-12));
  }
  nn::RoPE longer = variant_of({.scaling = nn::RopeScaling::yarn, .factor = 4});
  const Tensor x = draw({8});
  const double stretch = 0.1 * std::log(4) + 1;
  CHECK(sum(square(query_at(longer, x, 9))).item() == doctest::Approx(stretch * stretch * sum(square(x)).item()).epsilon(1e-12));
}

TEST_CASE(
    "pos-yarn, convention-yarn-ramp: over pairs as in Hugging Face's code; at Qwen2.5's sizes 16 of 64 frequencies differ from "
    "the paper's by over 1 %, one by 42 %") {
  // _compute_yarn_parameters of transformers 5.23.0, with float64 put for its float32: head_dim 128, rope_theta 1e6, factor 4,
  // original_max_position_embeddings 32768; then with truncate false; then head_dim 8, 1e4, 4, 1024, and 8, 10, 4, 500.
  const auto frequencies = [](int64_t width, double theta, nn::YarnRamp ramp, double trained) {
    return nn::rope_frequencies(width, {.theta = theta, .scaling = nn::RopeScaling::yarn, .factor = 4, .ramp = ramp}, trained);
  };
  const auto close = [](const Tensor& is, const Values& expected) {
    CHECK(max(abs(is / from_vector(expected, {static_cast<int64_t>(expected.size())}) - 1)).item() < 1e-12);
  };
  const Tensor some = tensor({0, 23, 24, 31, 39, 40, 63}, DType::i64);
  const Tensor paper = frequencies(128, 1e6, nn::YarnRamp::turns, 32768), pairs = frequencies(128, 1e6, nn::YarnRamp::pairs, 32768);
  close(index_select(pairs, 0, some), {1, 0.00697830584859866, 0.00537532149079010, 0.00080295972754523, 6.49039432083702792e-05,
                                       4.44569852509730674e-05, 3.10234440187929882e-07});
  close(index_select(frequencies(128, 1e6, nn::YarnRamp::exact_pairs, 32768), 0, some),
        {1, 0.006978305848598663, 0.0055172704751341225, 0.0008117253745814111, 6.187806812450695e-05, 4.445698525097307e-05,
         3.102344401879299e-07});
  close(frequencies(8, 1e4, nn::YarnRamp::pairs, 1024), {1, 0.075, 0.005, 0.00025});
  close(frequencies(8, 1e4, nn::YarnRamp::exact_pairs, 1024), {1, 0.08539863663460479, 0.0035569715211294347, 0.00025});
  close(frequencies(8, 10, nn::YarnRamp::pairs, 500), {1, 0.5623413251903491, 0.2766992952647332, 0.1333709557529192});
  close(frequencies(8, 10, nn::YarnRamp::exact_pairs, 500), {1, 0.5623413251903491, 0.2979526303546197, 0.14293225864824827});
  const Tensor ratio = paper / pairs;
  CHECK(sum(abs(ratio - 1) > 0.01).item() == 16);
  CHECK(argmin(ratio).item() == 32);
  CHECK(min(ratio).item() == doctest::Approx(1 - 0.4162276570125911).epsilon(1e-12));
  CHECK_THROWS_WITH_AS(frequencies(8, 1, nn::YarnRamp::pairs, 1024), "rope_frequencies: a ramp over pairs needs theta > 1, got 1",
                       ValueError);
}

TEST_CASE("pos-yarn: a ramp over pairs of a trained length that no pair goes round, or all do many times, is still a ramp") {
  for (const nn::YarnRamp ramp : {nn::YarnRamp::pairs, nn::YarnRamp::exact_pairs}) {
    for (const double trained : {0.0, 1.0, 6.0, 1e3, 1e9, 1e30}) {
      const nn::RopeOptions yarn{.scaling = nn::RopeScaling::yarn, .factor = 4, .ramp = ramp};
      const Tensor ratio = nn::rope_frequencies(16, {}, 0) / nn::rope_frequencies(16, yarn, trained);
      CHECK(sum(logical_not(isfinite(ratio))).item() == 0);
      CHECK(sum(ratio < 1 - 1e-12).item() + sum(ratio > 4 + 1e-12).item() == 0);
      CHECK(sum(slice(ratio, 0, 1) < slice(ratio, 0, 0, 7) - 1e-12).item() == 0);  // the slower the pair, the more
    }
  }
}

TEST_CASE("pos-yarn: the context before is trained_length, or max_length / factor where that is 0") {
  nn::RopeOptions options{.scaling = nn::RopeScaling::yarn, .factor = 4};
  const Tensor x = draw({8});
  const auto turned = [&](int64_t trained, int64_t max_length) {
    options.trained_length = trained;
    nn::RoPE rope = variant_of(options, 8, max_length);
    return query_at(rope, x, 9);
  };
  for (const int64_t trained : {1, 100, 500}) {
    const Tensor angle = 9 * nn::rope_frequencies(8, options, static_cast<double>(trained)), c = cos(angle), s = sin(angle);
    Values expected;
    for (int64_t k = 0; k < 4; ++k) {
      const double a = x.at({2 * k}), b = x.at({2 * k + 1});
      expected.push_back((0.1 * std::log(4) + 1) * (a * c.at({k}) - b * s.at({k})));
      expected.push_back((0.1 * std::log(4) + 1) * (a * s.at({k}) + b * c.at({k})));
    }
    CHECK(difference(turned(trained, 64), from_vector(expected, {8}), 1e-13) == "");
    if (trained > 1) CHECK(difference(turned(0, 4 * trained), from_vector(expected, {8}), 1e-13) == "");
  }
  CHECK(max_difference(turned(100, 64), turned(500, 64)) > 1e-2);
}

TEST_CASE("pos-rope-bands: by wavelengths as the 2024 checkpoints have it, with their numbers and with others") {
  const auto rows = read_fixture("position.safetensors").tensors;
  const nn::RopeOptions llama{.theta = 500000, .scaling = nn::RopeScaling::bands, .factor = 8};
  const Tensor frequency = nn::rope_frequencies(128, llama, 8192), expected = rows.at("rope_bands/frequencies");
  const Tensor ratio = nn::rope_frequencies(128, {.theta = 500000}, 0) / frequency;
  CHECK(max(abs(frequency / expected - 1)).item() < 1e-13);  // they span six orders of magnitude
  CHECK(sum(eq(ratio, 1)).item() == 29);                     // pairs that keep their speed …
  CHECK(sum(abs(ratio - 8) < 1e-12).item() == 29);           // … that are interpolated, and six between
  const nn::RopeOptions narrow{.scaling = nn::RopeScaling::bands, .factor = 32, .low = 2, .high = 3};
  CHECK(max(abs(nn::rope_frequencies(64, narrow, 2048) / rows.at("rope_bands/narrow") - 1)).item() < 1e-13);
}

TEST_CASE("pos-rope-bands: at the edges of the ramp and at its middle") {
  const nn::RopeOptions options{.scaling = nn::RopeScaling::bands, .factor = 8, .low = 1.5, .high = 3.5};
  const auto of_turns = [&](double turns) { return nn::rope_frequencies(2, options, 2 * kPi * turns).item(); };  // of ω = 1
  for (const double turns : {0.1, 1.499, 1.5}) CHECK(of_turns(turns) == doctest::Approx(1 / 8.0).epsilon(1e-14));
  for (const double turns : {3.5, 3.501, 99.0}) CHECK(of_turns(turns) == doctest::Approx(1).epsilon(1e-14));
  CHECK(of_turns(2.5) == doctest::Approx((1 + 1 / 8.0) / 2).epsilon(1e-14));
  CHECK(of_turns(2) == doctest::Approx(0.75 / 8 + 0.25).epsilon(1e-14));
}

TEST_CASE("pos-rope-bands: the row of the table is of a model trained on half the length, or on 1 / rope_factor of it") {
  const auto row = [](std::optional<double> factor) {
    return nn::position_encodings().find("rope-bands").value({.d_model = 8, .heads = 1, .head_dim = 8, .max_length = 64, .factor = factor});
  };
  const Tensor x = draw({8});
  const auto of_frequencies = [&](const Values& frequencies) {  // x at position 9
    Values y;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto pair = static_cast<int64_t>(k);
      const double angle = 9 * frequencies[k], a = x.at({2 * pair}), b = x.at({2 * pair + 1});
      y.push_back(a * std::cos(angle) - b * std::sin(angle));
      y.push_back(a * std::sin(angle) + b * std::cos(angle));
    }
    return from_vector(y, {8});
  };
  // Pair 0 turns 32 / 2π = 5.09 times, the others, of ω = 0.1, 0.01, 0.001, less than once; at a factor of 4 it is 2.55.
  CHECK(difference(query_at(*row({}), x, 9), of_frequencies({1, 0.05, 0.005, 0.0005}), 1e-13) == "");
  const double smooth = (16 / (2 * kPi) - 1) / 3;
  CHECK(difference(query_at(*row(4), x, 9), of_frequencies({smooth + (1 - smooth) / 4, 0.025, 0.0025, 0.00025}), 1e-13) == "");
}

TEST_CASE("pos-rope: pair k of position p stands at p ω_k, as the hand of a clock: fast ones first") {
  nn::RoPE rope = variant_of({});
  for (int64_t pair = 0; pair < 4; ++pair) {
    CHECK(turned_by(rope, pair, 3) == doctest::Approx(3 * std::pow(10000.0, -static_cast<double>(pair) / 4)).epsilon(1e-12));
  }
}

TEST_CASE("convention-rope-width, erratum-9: d in θ^(-2k/d) is the head's width, not the model's; angles are in radians") {
  nn::RoPE rope({.d_model = 16, .heads = 2, .head_dim = 8, .max_length = 64});
  for (const int64_t k : {0, 1, 2, 3}) {
    const double by_head = std::pow(10000.0, -2 * static_cast<double>(k) / 8),
                 by_model = std::pow(10000.0, -2 * static_cast<double>(k) / 16);
    CHECK(turned_by(rope, k, 3) == doctest::Approx(3 * by_head).epsilon(1e-13));
    CHECK(by_model / by_head == doctest::Approx(std::pow(10000.0, static_cast<double>(k) / 8)));
  }
}

TEST_CASE("RoPE: errors of its options") {
  CHECK_THROWS_WITH_AS(variant_of({.width = 3}), "RoPE: turns pairs, so the head width must be even, got 3", ValueError);
  CHECK_THROWS_WITH_AS(variant_of({.width = 10}), "RoPE: width 10 exceeds head_dim 8", ValueError);
  CHECK_THROWS_WITH_AS(variant_of({.scaling = nn::RopeScaling::ntk, .factor = 0.5}),
                       "RoPE: the factor must be finite and at least 1, got 0.5", ValueError);
  for (const auto& [low, high] : {std::pair{4, 4}, {5, 4}, {-1, 4}}) {
    CHECK_THROWS_WITH_AS(variant_of({.low = static_cast<double>(low), .high = static_cast<double>(high)}),
                         fmt::format("RoPE: the bands need 0 <= low < high, got {} and {}", low, high).c_str(), ValueError);
  }
  nn::RoPE rope = variant_of({});
  CHECK_THROWS_WITH_AS(rope.on_queries(zeros({1, 3, 1, 6}), arange(3)), "RoPE: expected [B, T, H, 8], got [1, 3, 1, 6]", ShapeError);
}
