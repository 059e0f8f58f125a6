// What the claims of why norms help and what they cost measure, against what theory knows.
#include <cmath>

#include "examples/claims/lab.h"
#include "examples/claims/norm_reasons_measures.h"
#include "examples/shared/experiment/cell.h"
#include "nn/norm/layer_norm.h"
#include "tests/examples/claims/verdict.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

doctest::Approx near(double expected, double part) { return doctest::Approx(expected).epsilon(part); }

}  // namespace

TEST_CASE(
    "claim-covariate-shift-is-why-norms-help: a step moves a layer's inputs less with batch norm than without, more with "
    "layer norm; and the shifts move them most") {
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const int layers : {6, 10}) {
      const auto moved = [&](const char* norm, double shifts) {
        return covariate_shift({.norm = norm, .layers = layers, .shifts = shifts}, 0.03, seed);
      };
      const double without = moved("none", 0);
      CHECK(moved("batch", 0) < without / 4);
      CHECK(moved("layer", 0) > without);
      for (const char* norm : {"batch", "layer"}) CHECK(moved(norm, 0.1) > 1.5 * without);
    }
  }
  const NormedNet net{.norm = "batch", .layers = 2, .shifts = 0.5};
  CHECK(training_loss(net, {0.03, 8}, 1) == training_loss(net, {0.03, 8}, 1));
  CHECK(training_loss(net, {0.03, 8}, 1) != training_loss(net, {0.03, 8}, 2));
}

// For rows of one size, μ of 64 numbers is off by 1/8 and r by about 1/√128.
TEST_CASE(
    "claim-gain-and-shift-can-undo-the-norm: batch norm in use exactly; of layer norm what a row's mean and size were "
    "is left over") {
  const auto left = [](const char* norm, const char* rows) { return not_undone({{"norm", norm}, {"rows", rows}}, 1); };
  for (const char* rows : {"of one size", "of many"}) CHECK(left("batch, in use", rows) < 1e-12);
  CHECK(left("layer", "of one size") == near(std::sqrt(1.0 / 64 + 1.0 / 128), 0.1));
  CHECK(left("rms", "of one size") == near(std::sqrt(1.0 / 128), 0.1));
  CHECK(left("layer", "of many") > 0.5);
  CHECK_THROWS_AS(left("group", "of many"), ValueError);
}

TEST_CASE(
    "claim-batch-norm-and-texts-of-unequal-length: in use nothing moves; layer norm gives a padded sentence the same "
    "bits") {
  for (const char* more : {"padding", "words"}) {
    const auto moved = [&](const char* longer, const char* mode) {
      return moved_by_length({{"rows more", more}, {"longer", longer}, {"mode", mode}}, 3);
    };
    CHECK(moved("4", "use") == 0);
    CHECK(moved("1", "training") == 0);
    CHECK(moved("4", "training") > 0.01);
  }
  Generator random(3);
  const Tensor batch = randn({4, 8, 16}, DType::f32, random), padded = cat({batch, zeros({4, 24, 16})}, 1);
  CHECK(same_bits(slice(nn::layer_norm(padded, {16}), 1, 0, 8), nn::layer_norm(batch, {16})));
}

TEST_CASE("claim-centring-stores-a-prior: before any step both texts cost what a guess does; the same seed, the same") {
  Journal journal;
  Lab lab(journal, {});
  TrainOptions options = lab.model_with("norm", "layer");
  options.schedule.total = 0;
  for (const double loss : losses_after_transfer(options, lab.corpus(options.model.context))) CHECK(loss == near(std::log(256.0), 0.1));
  options.schedule.total = 10;
  const std::vector<double> losses = losses_after_transfer(options, lab.corpus(options.model.context));
  CHECK(losses == losses_after_transfer(options, lab.corpus(options.model.context)));
  CHECK(losses[0] != losses[1]);
}

// With g groups, the outlier's own has k² g/n more variance; it is one of g.
TEST_CASE("claim-weaknesses-of-layer-and-group-norm: the others shrink by √(1 + g k²/n), in one group of g") {
  const auto moved = [](double groups, double outlier) {
    return moved_by_outlier({{"groups", fmt::format("{:.0f}", groups)}, {"width", "1024"}, {"outlier", fmt::format("{:.0f}", outlier)}}, 1);
  };
  const auto law = [](double groups, double outlier) {
    return (1 - 1 / std::sqrt(1 + groups * outlier * outlier / 1024)) / std::sqrt(groups);
  };
  for (const double outlier : {20.0, 80.0}) {
    for (const double groups : {1.0, 4.0}) CHECK(moved(groups, outlier) == near(law(groups, outlier), 0.05));
  }
}

TEST_CASE(
    "claim-layer-norm-in-recurrent-nets: without inputs the norm takes the weights' size; without the norm small "
    "weights let the gradient vanish at least as fast as their powers") {
  const auto normed = [](double weights) { return log_gradient_of_a_step({weights, 0, true}, 1); };
  CHECK(normed(0.5) == near(normed(4), 1e-3));
  CHECK(log_gradient_of_a_step({0.25, 1, false}, 1) < std::log(0.5));
  CHECK(verdict_of("claim-layer-norm-in-recurrent-nets", {-0.1, -0.11, -0.12}) == Verdict::confirmed);
}
