// What a plan trains: by hand, with the sweep and the training that have tests of their own.
#include <nlohmann/json.hpp>

#include "examples/ablate/carry_out.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

TEST_CASE("carry_out: each variant is compared at the rate that its sweep found, on seeds that the sweep did not have") {
  Plan plan;
  plan.given = {{"context", {"8"}}, {"d_model", {"16"}}, {"layers", {"1"}}, {"heads", {"2"}},
                {"batch", {"1"}},   {"steps", {"3"}},    {"lr", {"8"}},     {"norm", {"rms", "layer"}}};
  plan.seeds = 2;
  plan.sweep_seeds = 2;
  plan.farthest = 2;
  plan.seed = 1;
  const std::vector<Variation> variations = variations_of(plan);
  Journal journal;
  const std::vector<Measured> all = carry_out(plan, variations, journal);
  const Corpus corpus = Corpus::shakespeare(8);
  const SweepOptions sweep{.first_seed = 1500, .seeds = 2, .farthest = 2, .untaught = {counting_loss(variations[0].cell, corpus)}};
  for (std::size_t v = 0; v < all.size(); ++v) {
    const Tuned by_hand = tune({variations[v].cell}, sweep, [&](const std::vector<TrainOptions>& runs) {
      std::vector<double> losses;
      for (const TrainOptions& run : runs) losses.push_back(train_cell(run, corpus));
      return losses;
    })[0];
    REQUIRE(by_hand.cell.schedule.max_lr < 8);  // the sweep does something
    CHECK(all[v].tuned.tried == by_hand.tried);
    REQUIRE(all[v].outcomes.size() == 2);
    for (std::uint64_t s = 0; s < 2; ++s) {
      TrainOptions run = by_hand.cell;
      run.seed = 1000 + s;
      CHECK(all[v].outcomes[s].loss == train_cell(run, corpus));
    }
  }
}
