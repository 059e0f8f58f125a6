// The claims that others published: each rule says no of the contrary, and its models differ in nothing but what is compared.
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "nn/model/language_model.h"
#include "tests/examples/claims/verdict.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

int64_t size_of(const TrainOptions& options) {
  nn::LanguageModel model(options.model);
  return model.parameter_count();
}

}  // namespace

TEST_CASE(
    "claim-dyt-no-better, claim-depth-scaled-norm-no-better: a loss that is higher, or as high, confirms them; lower by more than 0.02 "
    "refutes") {
  for (const char* id : {"claim-dyt-no-better", "claim-depth-scaled-norm-no-better"}) {
    CHECK(verdict_of(id, {0.7, 0.75, 0.8}) == Verdict::confirmed);
    CHECK(verdict_of(id, {0.001, -0.001, 0}) == Verdict::confirmed);
    CHECK(verdict_of(id, {-0.11, -0.1, -0.12}) == Verdict::refuted);
  }
}

TEST_CASE("claim-partial-rope-slightly-worse, claim-squared-relu-beats-swiglu: a higher loss confirms, a lower one refutes, both neither") {
  for (const char* id : {"claim-partial-rope-slightly-worse", "claim-squared-relu-beats-swiglu"}) {
    CHECK(verdict_of(id, {0.01, 0.012, 0.011}) == Verdict::confirmed);
    CHECK(verdict_of(id, {-0.01, -0.012, -0.011}) == Verdict::refuted);
    CHECK(verdict_of(id, {-0.01, 0.012, 0.001}) == Verdict::undecided);
  }
}

TEST_CASE("claim-partial-rope-slightly-worse, claim-squared-relu-beats-swiglu: the models have as many parameters, within 3 %") {
  Journal journal;
  const Lab lab(journal, {});
  CHECK(size_of(lab.model_with("position", "rope-partial")) == size_of(lab.model_with("position", "rope")));
  const auto gated = static_cast<double>(size_of(lab.model_with("feed_forward", "swiglu")));
  const auto squared = static_cast<double>(size_of(lab.model_with("feed_forward", "relu2")));
  CHECK(gated / squared == doctest::Approx(1).epsilon(0.03));
}
