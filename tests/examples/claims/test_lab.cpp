// The lab's training, by hand: which models, at which rates, with which seeds.
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/experiment/commit.h"
#include "examples/shared/experiment/sweep.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

TrainOptions tiny(const std::string& norm) {
  TrainOptions cell = small_model(3);
  cell.model.context = 8;
  cell.model.d_model = 16;
  cell.model.layers = 1;
  cell.batch = 1;
  cell.schedule.max_lr = 0.5;
  vary(cell, "norm", norm);
  return cell;
}

}  // namespace

TEST_CASE(
    "lab: a contest is the first's loss − the second's, each at its own best rate, seeds as the trial of rates had "
    "not") {
  Journal journal;
  Lab lab(journal, {.seed = 2});
  const Evidence evidence = lab.differences({{{{"x", "1"}}, tiny("rms"), tiny("layer"), "rms", "layer"}});
  REQUIRE(evidence.size() == 1);
  CHECK(evidence[0].where == Where{{"steps", "3"}, {"x", "1"}});
  REQUIRE(evidence[0].arms.size() == 2);
  CHECK(evidence[0].arms[0].name == "rms");
  CHECK(evidence[0].arms[1].name == "layer");
  const Corpus corpus = Corpus::shakespeare(8);
  const auto losses_of = [&](const std::vector<TrainOptions>& runs) {
    std::vector<double> losses;
    for (const TrainOptions& run : runs) losses.push_back(train_cell(run, corpus));
    return losses;
  };
  std::vector<std::vector<double>> losses;
  for (const char* norm : {"rms", "layer"}) {
    const Tuned tuned =
        tune({tiny(norm)}, {.first_seed = 2500, .seeds = 2, .farthest = 3, .untaught = {counting_loss(tiny(norm), corpus)}}, losses_of)[0];
    REQUIRE(tuned.cell.schedule.max_lr < 0.5);
    REQUIRE(evidence[0].arms[losses.size()].rate);
    CHECK(evidence[0].arms[losses.size()].rate->value == tuned.cell.schedule.max_lr);
    CHECK(evidence[0].arms[losses.size()].rate->at_edge == tuned.at_edge);
    std::vector<TrainOptions> runs(5, tuned.cell);
    for (std::uint64_t s = 0; s < 5; ++s) runs[s].seed = 2000 + s;
    losses.push_back(losses_of(runs));
  }
  REQUIRE(evidence[0].values.size() == 5);
  for (std::size_t s = 0; s < 5; ++s) CHECK(evidence[0].values[s] == losses[0][s] - losses[1][s]);
}

TEST_CASE("lab: what was measured quickly does not count for --full, nor one claim's numbers for another's") {
  Journal journal;
  int measured = 0;
  const auto value = [&](const Where&, std::uint64_t) { return static_cast<double>(++measured); };
  Lab quick(journal, {}), full(journal, {.full = true});
  quick.begin("a"), full.begin("a");
  quick.in_turn({{}}, value);
  CHECK(measured == 5);
  CHECK(full.in_turn({{}}, value)[0].values.size() == 10);
  CHECK(measured == 15);
  quick.begin("b");
  quick.in_turn({{}}, value);
  CHECK(measured == 20);
  CHECK_THROWS_AS(Lab(journal, {.seed = ~std::uint64_t{0}}), ValueError);
}

TEST_CASE("lab: a rate is chosen on other seeds than those that count, and one at the edge is marked") {
  Journal journal;
  Lab lab(journal, {.seed = 1});
  lab.begin("rates");
  std::set<std::uint64_t> seeds;
  std::mutex mutex;
  const auto loss_with_best = [&](const char* best) {
    return [&, best](const Where& where, std::uint64_t seed) {
      const std::lock_guard lock(mutex);
      seeds.insert(seed);
      return level(where, "rate") == best ? 1.0 : 2.0;
    };
  };
  const Rate inside = lab.best_rate({{"f", "a"}}, {0.01, 0.1, 1}, loss_with_best("0.1"));
  CHECK(inside.value == 0.1);
  CHECK_FALSE(inside.at_edge);
  CHECK(lab.best_rate({{"f", "b"}}, {0.01, 0.1, 1}, loss_with_best("1")).at_edge);
  for (const std::uint64_t seed : seeds) CHECK(seed >= 1000 + static_cast<std::uint64_t>(lab.seeds()));
}

TEST_CASE("lab: a model at its best rate has the losses of the seeds that count, though the same rate was tried before") {
  Journal journal;
  Lab lab(journal, {.seed = 1});
  lab.begin("rates");
  const auto loss = [](const Where& where, std::uint64_t seed) {
    return std::abs(number_at(where, "rate") - 0.1) + static_cast<double>(seed);
  };
  const Arm arm = lab.at_best_rate("a", {}, {{"f", "a"}}, {0.01, 0.1, 1}, loss);
  CHECK(arm.rate->value == 0.1);
  CHECK(arm.losses == std::vector<double>{1000, 1001, 1002, 1003, 1004});
}

TEST_CASE("lab: each place has the commits of its numbers, and each model's line is what counting pairs costs on its windows") {
  Journal journal;
  Lab lab(journal, {});
  lab.begin("x");
  const Condition place = lab.each({{}}, [](const Where&, std::uint64_t) { return 1.0; })[0];
  CHECK(place.commits == Commits{source_commit()});
  const Baseline line = lab.pairs(small_model(1));
  CHECK(line.loss == doctest::Approx(2.49).epsilon(0.01));
  CHECK(line.loss == counting_loss(small_model(1), lab.corpus(32), 2));
  CHECK(counting_loss(small_model(1), lab.corpus(32)) == doctest::Approx(3.35).epsilon(0.01));
}

TEST_CASE("claims: each about training has a place of four times the steps, or of a lower training loss, with --full") {
  Journal journal;
  Lab lab(journal, {.full = true, .only_named = true});
  for (const Claim& claim : all_claims()) {
    if (claim.timed) continue;
    CAPTURE(claim.id);
    lab.begin(claim.id);
    if (claim.rule.must_train == MustTrain::none) continue;
    double least = HUGE_VAL, most = 0;
    const Evidence evidence = claim.measure(lab);
    const char* factor = std::string(text_of(evidence[0].where)).find("training loss") == std::string::npos ? "steps" : "training loss";
    for (const Condition& place : evidence) {
      least = std::min(least, std::stod(level(place.where, factor)));
      most = std::max(most, std::stod(level(place.where, factor)));
    }
    CHECK(most >= 4 * least);
  }
}
