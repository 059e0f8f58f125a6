#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/placement_training.h"

namespace gradus::examples {
namespace {

using Levels = std::vector<std::string>;
Levels depths(const Lab& lab) { return lab.full() ? Levels{"2", "6", "12"} : Levels{"2", "6"}; }

// Those of the usual length, and of four times the steps.
std::vector<Where> usual_and_long(const Lab& lab, const std::vector<Where>& usual, const std::vector<Where>& longer) {
  std::vector<Where> places;
  const auto add = [&](const std::vector<Where>& more, int64_t steps) {
    for (Where where : more) {
      where.insert(where.begin(), {"steps", std::to_string(steps)});
      if (lab.wanted(where)) places.push_back(where);
    }
  };
  if (lab.usual_too()) add(usual, deep_steps(lab));
  if (lab.longer_too()) add(longer, 4 * deep_steps(lab));
  return places;
}

// --- do they train? ---------------------------------------------------------------------------------------------------

// --- gradients --------------------------------------------------------------------------------------------------------

// At the start; early in training; and where both have trained, or might have.
std::vector<Where> stages_of_training(const Lab& lab) {
  const bool full = lab.full();
  const Levels inits{"xavier-normal", "gpt2"}, blocks = full ? Levels{"12", "24"} : Levels{"12"},
                                               layers = full ? Levels{"relu", "swiglu"} : Levels{"relu"};
  std::vector<Where> places;
  const auto add = [&](const Levels& init, const Levels& depth, const Levels& layer, const Levels& steps, const Levels& rate,
                       const Levels& warmup) {
    for (const Where& where :
         crossed({{"init", init}, {"blocks", depth}, {"feed-forward", layer}, {"steps", steps}, {"rate", rate}, {"warm-up", warmup}}))
      places.push_back(where);
  };
  if (lab.usual_too()) {
    add(inits, blocks, layers, {"0", "30"}, {"0.001"}, {"none"});
    add(inits, {"12"}, {"relu"}, {"30"}, {"0.001"}, {"30 steps"});
    add(inits, {"12"}, {"relu"}, {"30"}, {"0.00025"}, {"none", "30 steps"});
  }
  if (lab.longer_too()) {
    add({"xavier-normal"}, {"6", "12"}, {"relu"}, {"1000"}, {"0.001", "0.00025"}, {"none", "250 steps"});
    add({"xavier-normal"}, {"6", "12"}, {"relu"}, {"4000"}, {"0.001"}, {"1000 steps"});
  }
  return places;
}

Evidence evenness_of_gradients(Lab& lab) {
  const Corpus& corpus = lab.corpus(StackChoice{}.context);
  const std::vector<Where> places = stages_of_training(lab);
  const std::vector<std::string> placements{"pre", "post"};
  const Baseline pairs = pairs_line(corpus);
  const Evidence measured = lab.each(places, "of", {"unevenness", "pre", "post"}, [&](const Where& where, std::uint64_t seed) {
    std::vector<double> unevenness, losses;
    for (const std::string& placement : placements) {
      const std::string &rate = level(where, "rate"), &warmup = level(where, "warm-up");
      const optim::ScheduleOptions schedule{.max_lr = std::stod(rate), .warmup = warmup == "none" ? 0 : std::stoll(warmup)};
      const TrainedStack stack = trained_block_gradients(stack_at(where, placement), schedule, corpus, seed, whole_at(where, "steps"));
      unevenness.push_back(std::log2(largest_over_smallest(stack.gradients)));
      losses.push_back(stack.loss);
    }
    return std::vector{unevenness[0] - unevenness[1], losses[0], losses[1]};
  });
  Evidence evidence;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Condition place{places[i], measured[3 * i].values, {}, measured[3 * i].commits};
    for (std::size_t a = 0; a < 2 && whole_at(places[i], "steps") >= 1000; ++a) {
      place.arms.push_back({.name = placements[a], .losses = measured[3 * i + 1 + a].values, .line = pairs});
    }
    evidence.push_back(place);
  }
  return evidence;
}

}  // namespace

Experiments placement_experiments() {
  return {
      {"claim-pre-norm-stable",
       [](Lab& lab) {
         Evidence evidence;
         for (const Where& where : usual_and_long(lab, crossed({{"blocks", depths(lab)}, {"warm-up", {"none", "a tenth"}}}),
                                                  crossed({{"blocks", {"2", "6"}}, {"warm-up", {"a tenth"}}}))) {
           const auto arm = [&](const char* placement) { return arm_over_rates(lab, placement, deep_run(where, placement)); };
           evidence.push_back(compared(where, arm("pre"), arm("post")));
         }
         return evidence;
       }},

      {"claim-warmup-rescues-post-norm",
       [](Lab& lab) {
         Evidence evidence;
         std::vector<Where> longer = crossed({{"blocks", {"2", "6"}}, {"rate", {"0.004"}}, {"warm-up", {"a tenth", "half"}}});
         longer.push_back({{"blocks", "12"}, {"rate", "0.001"}, {"warm-up", "half"}});
         for (const Where& where : usual_and_long(
                  lab, crossed({{"blocks", depths(lab)}, {"rate", {"0.001", "0.004"}}, {"warm-up", {"a tenth", "half"}}}), longer)) {
           const auto arm = [&](const char* name, Warmup warmup) {
             const TrainOptions run = deep_run("post", whole_at(where, "blocks"), warmup, whole_at(where, "steps"));
             return lab.arm(name, with_rate(run, number_at(where, "rate")));
           };
           evidence.push_back(compared(where, arm("with", warmup_at(where)), arm("without", Warmup::none)));
         }
         return evidence;
       }},

      {"claim-gradient-norms-by-placement", evenness_of_gradients},

      {"claim-pre-norm-bottom-gradients-larger",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         return lab.each(
             crossed({{"init", {"xavier-normal", "gpt2", "depth-scaled"}}, {"blocks", {"12", "48"}}, {"feed-forward", {"relu", "swiglu"}}}),
             [&](const Where& where, std::uint64_t seed) {
               return bottom_over_top(block_gradients(stack_at(where, "pre"), corpus, seed));
             });
       }},

      {"claim-post-norm-better-when-it-trains",
       [](Lab& lab) {
         std::vector<Contest> contests;
         std::vector<Where> longer = crossed({{"blocks", {"2", "6"}}, {"warm-up", {"a tenth"}}});
         longer.push_back({{"blocks", "12"}, {"warm-up", "a quarter"}});
         for (const Where& where : usual_and_long(lab, crossed({{"blocks", depths(lab)}, {"warm-up", {"a tenth"}}}), longer)) {
           contests.push_back({where, deep_run(where, "post"), deep_run(where, "pre"), "post", "pre"});
         }
         return lab.differences(contests);
       }},

      {"claim-post-norm-regularises-parameters",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         const std::vector<Where> places = crossed({{"training loss", {"1.5", "0.5"}}, {"blocks", {"2", "6"}}});
         return lab.each(places, [&](const Where& where, std::uint64_t seed) {
           const auto loss = [&](const char* placement) {
             return held_out_loss_at(number_at(where, "training loss"), stack_at(where, placement), corpus, seed);
           };
           return loss("post") - loss("pre");
         });
       }},
  };
}

}  // namespace gradus::examples
