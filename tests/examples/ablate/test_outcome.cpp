// What is kept of a run: its loss is the cell’s, nothing measured beside it changes a bit, and the journal keeps all.
#include <nlohmann/json.hpp>

#include "examples/ablate/outcome.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

TrainOptions quick(const char* position = "rope") {
  TrainOptions options = small_model(60);
  options.model.context = 8;
  options.model.position = position;
  return options;
}

Outcome outcome_of(const TrainOptions& cell) { return measure(cell, Corpus::shakespeare(cell.model.context)); }

}  // namespace

TEST_CASE("outcome: the loss is train_cell's, with dropout, too: what is measured besides draws nothing") {
  TrainOptions cell = quick();
  cell.model.dropout = 0.2;
  CHECK(outcome_of(cell).loss == train_cell(cell, Corpus::shakespeare(8)));
}

TEST_CASE(
    "outcome: the curve is the means of neighbouring batches, and falls; a gradient for each block, before and "
    "after") {
  const Outcome outcome = outcome_of(quick());
  REQUIRE(outcome.curve.losses.size() == 30);  // 60 steps, two a point
  CHECK(outcome.curve.steps.front() == 1.5);
  CHECK(outcome.curve.steps.back() == 59.5);
  CHECK(outcome.curve.losses.front() > 5);
  CHECK(outcome.curve.losses.back() < 4);
  CHECK(outcome.gradients_before.size() == 2);
  CHECK(outcome.gradients_after.size() == 2);
  CHECK(outcome.gradients_before[0] != outcome.gradients_after[0]);
  CHECK(outcome.gradients_before[1] > 0);
}

TEST_CASE("outcome: at T, 2T and 4T the same text; where weights belong to positions it cannot, and says why") {
  const Outcome relative = outcome_of(quick("alibi")), learned = outcome_of(quick("learned"));
  REQUIRE(relative.lengths.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(relative.lengths[i].length == 8 << i);
    CHECK(relative.lengths[i].loss == doctest::Approx(relative.loss).epsilon(0.1));
    CHECK(relative.lengths[i].cannot.empty());
  }
  CHECK(relative.lengths[0].loss != relative.lengths[1].loss);
  CHECK(learned.lengths[0].cannot.empty());
  CHECK(learned.lengths[0].loss == doctest::Approx(learned.loss).epsilon(0.1));
  CHECK(std::isnan(learned.lengths[1].loss));
  CHECK(learned.lengths[2].cannot.find("its weights are those of 8 positions") == 0);
}

TEST_CASE("outcome: all lengths score the same bytes: where each byte sees itself alone, with the same loss") {
  TrainOptions cell = quick("none");
  cell.model.window = 1;
  const Corpus corpus = Corpus::shakespeare(8);
  Trainer trainer(cell, corpus);
  const double loss = loss_at(trainer.model(), cell, 8).loss;
  CHECK(loss_at(trainer.model(), cell, 16).loss == doctest::Approx(loss).epsilon(1e-6));
  CHECK(loss_at(trainer.model(), cell, 32).loss == doctest::Approx(loss).epsilon(1e-6));
}

TEST_CASE("outcome: a run that diverges keeps its curve until then, and has no loss") {
  TrainOptions cell = quick();
  cell.clip = 0;
  cell.schedule = {.max_lr = 1e38, .min_lr = 0, .warmup = 0, .total = 5};
  const Outcome outcome = outcome_of(cell);
  CHECK(std::isnan(outcome.loss));
  CHECK(outcome.curve.losses.size() < 5);
  CHECK(outcome.gradients_before.size() == 2);
  CHECK(outcome.gradients_after.empty());
  CHECK(outcome.lengths[2].cannot == "diverged");
  CHECK(std::isnan(outcome_from(nlohmann::json::parse(to_json(outcome).dump())).loss));
}

TEST_CASE("outcome: kept and read again it is the same, every bit; by one thread and by two the same") {
  const auto kept = [](int threads) {
    const Threads so_many(threads);
    std::string text;
    run_on_team(1, [&](std::int64_t) { text = to_json(outcome_of(quick("learned"))).dump(); });
    return text;
  };
  const std::string text = kept(1);
  CHECK(to_json(outcome_from(nlohmann::json::parse(text))).dump() == text);
  CHECK(kept(2) == text);
}
