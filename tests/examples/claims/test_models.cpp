// The experiments on models and optimisation, where theory knows the number.
#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/models_measures.h"
#include "nn/nn.h"
#include "tests/examples/claims/verdict.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

std::vector<double> of_three_seeds(const std::function<double(std::uint64_t)>& value) { return {value(0), value(1), value(2)}; }

}  // namespace

TEST_CASE("claim-tying-saves-parameters: a count of one model is that of small ones, and tying saves V·d of it") {
  for (const bool tied : {true, false}) {
    nn::LanguageModel model({.vocabulary = 50, .d_model = 32, .layers = 3, .heads = 2, .tie_weights = tied});
    CHECK(parameter_count(32, tied).of(50, 3) == static_cast<double>(model.parameter_count()));
  }
  CHECK(parameter_count(32, false).of(50, 3) - parameter_count(32, true).of(50, 3) == 50 * 32);
}

TEST_CASE("claim-aspect-ratio-100-to-156: shapes of one size are of one size, within half a unit of the inner width") {
  Journal journal;
  const Lab lab(journal, {});
  const TrainOptions wide = of_shape(lab.model(), 104, 1, 150'000);
  for (const auto& [d_model, layers] : {std::pair<int64_t, int64_t>{72, 2}, {48, 4}}) {
    const TrainOptions deep = of_shape(wide, d_model, layers, parameters_of(wide));
    CHECK(std::abs(parameters_of(deep) - parameters_of(wide)) <= 3 * d_model * layers / 2);
    CHECK(deep.model.d_model == d_model);
    CHECK(deep.model.layers == layers);
  }
}

TEST_CASE("claim-decoupled-decay-is-not-l2: the same with SGD, which refutes it; with Adam as much apart as the law says") {
  const auto apart = [](const char* optimizer, double noise) {
    return of_three_seeds([&](std::uint64_t seed) { return std::abs(decay_apart(optimizer, noise, seed)); });
  };
  const std::vector<double> sgd = apart("sgd", 1), adam = apart("adam", 0.1);
  for (const double value : sgd) CHECK(value < 1e-5);
  // Decoupled (1 - lr λ)ᵗ = e^-0.4 is left; through the gradient, which Adam divides by its size 0.1, e^-4.
  for (const double value : adam) CHECK(value == doctest::Approx(std::exp(-0.4) - std::exp(-4)).epsilon(0.03));
  CHECK(verdict_of("claim-decoupled-decay-is-not-l2", sgd) == Verdict::refuted);
  CHECK(verdict_of("claim-decoupled-decay-is-not-l2", adam) == Verdict::confirmed);
  CHECK_THROWS_AS(decay_apart("sdg", 1, 0), ValueError);
}

TEST_CASE("claim-z-loss-bounds-logits: log Z is ln 256 at the start, and a strong z-loss takes it to 0") {
  Journal journal;
  Lab lab(journal, {});
  TrainOptions options = lab.model();
  options.model.init = "gpt2";
  options.schedule.total = options.schedule.warmup = 0;
  CHECK(logit_sizes(options, lab.corpus(32))[0] == doctest::Approx(std::log(256)).epsilon(0.01));
  options.schedule.total = 100;
  const double without = logit_sizes(options, lab.corpus(32))[0];
  options.z_loss = 1;
  CHECK(logit_sizes(options, lab.corpus(32))[0] < 0.5 * without);
}
