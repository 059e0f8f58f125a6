// The lab's training, by hand: which models, at which rates, with which seeds.
#include <nlohmann/json.hpp>

#include "examples/claims/lab.h"
#include "examples/shared/data/ngrams.h"
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
  Lab lab(journal, false, 2);
  const Evidence evidence = lab.differences({{{{"x", "1"}}, tiny("rms"), tiny("layer"), "rms", "layer"}});
  REQUIRE(evidence.size() == 1);
  CHECK(evidence[0].where == Where{{"x", "1"}});
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
    const Tuned tuned = tune({tiny(norm)}, {.first_seed = 2500, .seeds = 2, .farthest = 3, .untaught = {unigram_line(corpus)}}, losses_of)[0];
    REQUIRE(tuned.cell.schedule.max_lr < 0.5);
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
  Lab quick(journal, false, 0), full(journal, true, 0);
  quick.begin("a"), full.begin("a");
  quick.in_turn({{}}, value);
  CHECK(measured == 5);
  CHECK(full.in_turn({{}}, value)[0].values.size() == 10);
  CHECK(measured == 15);
  quick.begin("b");
  quick.in_turn({{}}, value);
  CHECK(measured == 20);
  CHECK_THROWS_AS(Lab(journal, false, ~std::uint64_t{0}), ValueError);
}
