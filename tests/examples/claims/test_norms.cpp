// What the claims of norms measure, against what theory knows; and the wrong norm or start in place of the right one, which
// the claim's own rule tells.
#include <cmath>
#include <string_view>

#include "examples/claims/all_claims.h"
#include "examples/claims/clarified_measures.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/init.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "tests/examples/claims/verdict.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3, 4};

// By the claim's own rule, of numbers that were measured otherwise.
Verdict verdict(const std::string& id, const std::function<double(std::uint64_t)>& value) {
  std::vector<double> values;
  for (const std::uint64_t seed : kSeeds) values.push_back(value(seed));
  return test::verdict_of(id, values);
}

const Start xavier = [](Tensor& w, Generator& g) { nn::init_xavier_normal(w, 1, g); };
const Start kaiming = [](Tensor& w, Generator& g) { nn::init_kaiming_normal(w, {}, g); };

}  // namespace

TEST_CASE("claim-layer-norm-same-in-train-and-eval: batch norm in its place is told") {
  const auto of = [](nn::Layer& norm, std::uint64_t seed) {
    Generator generator(seed);
    return train_against_eval(norm, randn({4, 16}, DType::f32, generator));
  };
  const auto with_layer = [&](std::uint64_t seed) {
    nn::LayerNorm norm({16});
    return of(norm, seed);
  };
  const auto with_batch = [&](std::uint64_t seed) {
    nn::BatchNorm1d norm(16);
    return of(norm, seed);
  };
  const std::string id = "claim-layer-norm-same-in-train-and-eval";
  CHECK(verdict(id, with_layer) == Verdict::confirmed);
  CHECK(verdict(id, with_batch) == Verdict::refuted);
}

TEST_CASE("claim-batch-norm-mixes-sentences: layer norm in its place mixes nothing, not even within f32") {
  nn::LayerNorm layer({kFeatures});
  const auto with_layer = [&](std::uint64_t seed) { return change_in_other_sentences([&](const Tensor& x) { return layer(x); }, seed); };
  for (const std::uint64_t seed : kSeeds) CHECK(with_layer(seed) == 0);
  const std::string id = "claim-batch-norm-mixes-sentences";
  CHECK(verdict(id, with_layer) == Verdict::refuted);
  for (const char* statistics : {"all tokens", "each position"}) {
    CAPTURE(statistics);
    const auto in_mode = [&](const char* mode) {
      return [=](std::uint64_t seed) { return mixed_by_batch_norm({{"statistics", statistics}, {"mode", mode}}, seed); };
    };
    CHECK(verdict(id, in_mode("training")) == Verdict::confirmed);
    CHECK(verdict(id, in_mode("use")) == Verdict::refuted);
  }
  // A channel of four values moves farther when one of them is exchanged than one of 24 when six are.
  for (const std::uint64_t seed : kSeeds) {
    CHECK(mixed_by_batch_norm({{"statistics", "each position"}, {"mode", "training"}}, seed) >
          mixed_by_batch_norm({{"statistics", "all tokens"}, {"mode", "training"}}, seed));
  }
}

TEST_CASE("claim-xavier-keeps-variance: 2 in/(in + out) on the way up, 2 out/(in + out) on the way down") {
  const auto near = [](double expected) { return doctest::Approx(expected).epsilon(0.02); };
  CHECK(variance_ratio(xavier, 64, 256, Way::up, 1) == near(0.4));
  CHECK(variance_ratio(xavier, 64, 256, Way::down, 1) == near(1.6));
  CHECK(variance_ratio(xavier, 256, 64, Way::up, 1) == near(1.6));
  CHECK(variance_ratio(kaiming, 256, 64, Way::up, 1) == near(2));
  CHECK(factor_off(0.25) == 4);
  CHECK(factor_off(4) == 4);
  const auto of_square = [](const Start& start) {
    return [&start](std::uint64_t seed) { return factor_off(variance_ratio(start, 256, 256, Way::up, seed)); };
  };
  CHECK(verdict("claim-xavier-keeps-variance", of_square(xavier)) == Verdict::confirmed);
  CHECK(verdict("claim-xavier-keeps-variance", of_square(kaiming)) == Verdict::refuted);
}

// s of two values is |a − b|/2, so E s² = σ²/2, and E|a − b| is 2/√π, 2/3 and 3/2.
TEST_CASE("claim-layer-norm-unstable-below-10-features: of two values known, of many small") {
  const auto error = [](double of_sigma) { return doctest::Approx(std::sqrt(1.5 - 2 * of_sigma)).epsilon(0.01); };
  CHECK(deviation_error("normal", 2, 1) == error(1 / std::sqrt(std::acos(-1.0))));
  CHECK(deviation_error("uniform", 2, 1) == error(std::sqrt(3.0) / 3));
  CHECK(deviation_error("Laplace", 2, 1) == error(0.75 / std::sqrt(2.0)));
  const auto wide = [](std::uint64_t seed) { return deviation_error("normal", 64, seed); };
  CHECK(verdict("claim-layer-norm-unstable-below-10-features", wide) == Verdict::refuted);
}

TEST_CASE("claim-batch-norm-fails-at-batch-1: of one image batch norm makes less than group norm; the same seed, the same") {
  const double ratio = batch_norm_over_group_norm(1, 600, 0);
  CHECK(ratio < 0.7);
  CHECK(batch_norm_over_group_norm(8, 64, 0) == batch_norm_over_group_norm(8, 64, 0));
  CHECK(batch_norm_over_group_norm(8, 64, 0) != batch_norm_over_group_norm(8, 64, 1));
}

TEST_CASE("erratum-5: the code is smaller by √((n − 1)/n), and the formula itself is not") {
  Journal journal;
  Lab lab(journal, {});
  for (const Condition& condition : find_claim("erratum-5").measure(lab)) {
    const double n = std::stod(level(condition.where, "features"));
    for (const double value : condition.values) CHECK(value == doctest::Approx(1 - std::sqrt((n - 1) / n)).epsilon(1e-3));
  }
  const auto formula = [](std::uint64_t seed) {
    Generator generator(seed);
    const Tensor x = randn({64, 4}, DType::f64, generator);
    return relative_difference(nn::layer_norm_std(x, {}, {}, 1e-5, {.unbiased = false, .eps_outside = false}), nn::layer_norm(x, {4}));
  };
  CHECK(verdict("erratum-5", formula) == Verdict::confirmed);
}

TEST_CASE("erratum-7, erratum-8: of the right axes the same rule says yes, of one too few or too many no") {
  const MakeNormOf batch = [](int64_t c) { return std::make_unique<nn::BatchNorm2d>(c); },
                   instance = [](int64_t c) { return std::make_unique<nn::InstanceNorm>(c); },
                   layer = [](int64_t c) { return std::make_unique<nn::LayerNorm>(Shape{c}); };
  const auto told = [&](const char* id, const MakeNormOf& norm, int channel, int rank, const Axes& axes) {
    return verdict(id, [&](std::uint64_t seed) { return footprint_error(norm, channel, rank, axes, seed); });
  };
  CHECK(told("erratum-7", batch, 1, 4, {0, 2, 3}) == Verdict::confirmed);
  CHECK(told("erratum-7", instance, 1, 4, {2, 3}) == Verdict::confirmed);
  CHECK(told("erratum-7", instance, 1, 4, {2}) == Verdict::refuted);
  CHECK(told("erratum-7", instance, 1, 4, {0, 2, 3}) == Verdict::refuted);
  CHECK(told("erratum-8", layer, 2, 3, {2}) == Verdict::confirmed);
  CHECK(told("erratum-8", layer, 2, 3, {1, 2}) == Verdict::refuted);
}

TEST_CASE("erratum-14: e^100 and more are inf in f16 and f32, none is in f64") {
  CHECK(finite_powers(DType::f16, 5) == 0);
  CHECK(finite_powers(DType::f32, 5) == 0);
  CHECK(finite_powers(DType::f64, 5) == 1);
}

TEST_CASE("erratum-15: the forward pass makes all of the movement of batch norm's statistics, and none of γ's and β's") {
  for (const Moving counted : {Moving::running_mean, Moving::running_variance}) CHECK(moved_before_backward(counted, 5) == 1);
  for (const Moving learned : {Moving::gain, Moving::shift}) CHECK(moved_before_backward(learned, 5) == 0);
}

TEST_CASE("erratum-16: e^x / Σe^x is softmax to within rounding until e^x overflows") {
  CHECK(written_softmax_off(-5, 5, DType::f32, 5) < 2e-7);
  CHECK(written_softmax_off(-5, 5, DType::f64, 5) < 1e-15);
  CHECK(written_softmax_off(100, 200, DType::f64, 5) < 1e-14);
  CHECK(written_softmax_off(100, 200, DType::f32, 5) == 1);
}

TEST_CASE("erratum-17: RMSNorm by the Euclidean norm is off by 1 − 1/√n, and by nothing if its γ is √n") {
  for (const int64_t n : {4, 64, 256}) {
    const double off = 1 - 1 / std::sqrt(static_cast<double>(n));
    CHECK(euclidean_norm_off(EuclideanGain::one, n, 5) == doctest::Approx(off).epsilon(1e-4));
    CHECK(euclidean_norm_off(EuclideanGain::root_n, n, 5) < 1e-14);
  }
}

TEST_CASE("erratum-18: the tanh formula is off F.gelu by less than the greatest distance of the two, but by more than rounding") {
  CHECK(tanh_formula_off(5) > 1e-5);
  CHECK(tanh_formula_off(5) < 4.7324e-4 / 0.6);  // less than √mean(gelu²)
}

TEST_CASE("erratum-19: without ε the result is off by √(1 + ε/σ²) − 1") {
  for (const double variance : {1.0, 1e-2, kEpsilon}) {
    const double off = std::sqrt(1 + kEpsilon / variance) - 1;
    CHECK(root_without_epsilon_off(variance, 5) == doctest::Approx(off).epsilon(0.1));
  }
}

TEST_CASE("erratum-20: pre-norm is off add & norm by a good part of it") { CHECK(pre_norm_off_add_and_norm(5) > 0.1); }
