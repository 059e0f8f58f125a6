#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/residual_measures.h"

namespace gradus::examples {
namespace {

using Levels = std::vector<std::string>;
Levels depths(const Lab& lab) { return lab.full() ? Levels{"2", "6", "12"} : Levels{"2", "6"}; }

// These places, at the usual number of steps and at four times as many.
std::vector<Where> usual_and_long(const Lab& lab, const std::vector<Where>& usual, const std::vector<Where>& longer) {
  const auto of_steps = [](int64_t steps, const std::vector<Where>& places) {
    std::vector<Where> named;
    for (const Where& where : places) named.push_back(joined(Where{{"steps", std::to_string(steps)}}, where));
    return named;
  };
  std::vector<Where> places = lab.usual_and_long(of_steps(deep_steps(lab), usual), of_steps(4 * deep_steps(lab), longer));
  std::erase_if(places, [&](const Where& where) { return !lab.wanted(where); });
  return places;
}

// At the start; early in training; and where both have trained, or might have.
std::vector<Where> stages_of_training(const Lab& lab) {
  const bool full = lab.full();
  const Levels inits{"xavier-normal", "gpt2"}, blocks = full ? Levels{"12", "24"} : Levels{"12"},
                                               layers = full ? Levels{"relu", "swiglu"} : Levels{"relu"};
  const auto stage = [](const Levels& init, const Levels& depth, const Levels& layer, const Levels& steps, const Levels& rate,
                        const Levels& warmup) {
    return crossed({{"init", init}, {"blocks", depth}, {"feed-forward", layer}, {"steps", steps}, {"rate", rate}, {"warm-up", warmup}});
  };
  const std::vector<Where> untrained = stage(inits, blocks, layers, {"0", "30"}, {"0.001"}, {"none"}),
                           warmed_up = stage(inits, {"12"}, {"relu"}, {"30"}, {"0.001"}, {"30 steps"}),
                           slow = stage(inits, {"12"}, {"relu"}, {"30"}, {"0.00025"}, {"none", "30 steps"}),
                           trained = stage({"xavier-normal"}, {"6", "12"}, {"relu"}, {"1000"}, {"0.001", "0.00025"}, {"none", "250 steps"}),
                           to_the_end = stage({"xavier-normal"}, {"6", "12"}, {"relu"}, {"4000"}, {"0.001"}, {"1000 steps"});
  return lab.usual_and_long(joined(joined(untrained, warmed_up), slow), joined(trained, to_the_end));
}

Evidence evenness_of_gradients(Lab& lab) {
  const Corpus& corpus = lab.corpus(StackChoice{}.context);
  const Baseline pairs = pairs_line(corpus);
  const std::vector<Arm> placements{{"pre", {}, pairs}, {"post", {}, pairs}};
  Evidence evidence = lab.each(stages_of_training(lab), placements, [&](const Where& where, std::uint64_t seed) {
    std::vector<double> unevenness, losses;
    for (const Arm& placement : placements) {
      const std::string& warmup = level(where, "warm-up");
      const optim::ScheduleOptions schedule{.max_lr = number_at(where, "rate"), .warmup = warmup == "none" ? 0 : std::stoll(warmup)};
      const TrainedStack stack = trained_block_gradients(stack_at(where, placement.name), schedule, corpus, seed, whole_at(where, "steps"));
      unevenness.push_back(std::log2(largest_over_smallest(stack.gradients)));
      losses.push_back(stack.loss);
    }
    return std::vector{unevenness[0] - unevenness[1], losses[0], losses[1]};
  });
  for (Condition& place : evidence) {
    if (whole_at(place.where, "steps") < 1000) place.arms.clear();  // none has trained, and none has to
  }
  return evidence;
}

const std::vector<std::pair<std::string, Residual>> kResiduals{
    {"none", Residual::none}, {"x + f(x)", Residual::whole}, {"x + f(x)/√layers", Residual::quiet}};

Residual residual_at(const Where& where) {
  for (const auto& [name, residual] : kResiduals) {
    if (name == level(where, "residual")) return residual;
  }
  throw ValueError("there is no residual " + text_of(where));
}

// Both kinds of residual connections against none, at each depth and training loss.
Evidence residuals_against_none(Lab& lab) {
  const std::vector<std::string> layers{"2", "6", "24"}, losses{"0.5", "0.05"};
  const std::size_t kinds = kResiduals.size();
  std::vector<std::string> names;
  for (const auto& [name, residual] : kResiduals) names.push_back(name);
  const Evidence held_out = lab.each(crossed({{"layers", layers}, {"residual", names}}), "training loss", losses,
                                     [draws = lab.full() ? 4 : 1](const Where& where, std::uint64_t seed) {
                                       return held_out_losses({.residual = residual_at(where), .layers = whole_at(where, "layers")},
                                                              read_digits(), {0.5, 0.05}, draws, seed);
                                     });
  Evidence evidence;
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    const auto arm = [&](std::size_t kind, std::size_t loss) {
      const Condition& condition = held_out[(depth * kinds + kind) * losses.size() + loss];
      return Arm{level(condition.where, "residual"), condition.values, one_pixel_line(DigitsPart::held_out), {}, condition.commits};
    };
    for (std::size_t kind = 1; kind < kinds; ++kind) {
      for (std::size_t loss = 0; loss < losses.size(); ++loss) {
        const Where where{{"layers", layers[depth]}, {"residual", names[kind]}, {"training loss", losses[loss]}};
        evidence.push_back(compared(where, arm(kind, loss), arm(0, loss)));
      }
    }
  }
  return evidence;
}

// --- how gradients lie by depth ---------------------------------------------------------------------------------------

const std::string kPostGrows = "post-norm: larger at the top", kPreEqual = "pre-norm: equal", kPreFalls = "pre-norm: larger at the bottom";

// By how many doublings the gradients of this place lie on the sentence’s side of a factor of 1.5.
double margin_of(const Where& where, const Corpus& corpus, std::uint64_t seed) {
  const std::string& sentence = level(where, "sentence");
  const StackChoice choice = stack_at(where, sentence == kPostGrows ? "post" : "pre");
  const std::vector<double> gradients =
      trained_block_gradients(choice, {.max_lr = 1e-3, .warmup = 0}, corpus, seed, whole_at(where, "steps")).gradients;
  const double limit = std::log2(1.5), bottom = std::log2(bottom_over_top(gradients));
  if (sentence == kPostGrows) return -bottom - limit;
  return sentence == kPreFalls ? bottom - limit : limit - std::log2(largest_over_smallest(gradients));
}

std::vector<Where> places(bool full) {
  const Factor sentence{"sentence", {kPostGrows, kPreEqual, kPreFalls}}, init{"init", {"xavier-normal", "gpt2"}},
      feed_forward{"feed-forward", {"relu", "swiglu"}};
  return joined(crossed({sentence, init, {"blocks", {"12", "48"}}, feed_forward, {"steps", {"0"}}}),
                crossed({sentence, init, {"blocks", {full ? "24" : "12"}}, feed_forward, {"steps", {"30"}}}));
}

}  // namespace

Experiments placement_experiments() {
  return {
      {"claim-pre-norm-stable",
       [](Lab& lab) {
         const std::vector<Where> usual = crossed({{"blocks", depths(lab)}, {"warm-up", {"none", "a tenth"}}}),
                                  longer = crossed({{"blocks", {"2", "6"}}, {"warm-up", {"a tenth"}}});
         return at_each(usual_and_long(lab, usual, longer), [&](const Where& where) {
           const auto arm = [&](const char* placement) { return arm_over_rates(lab, placement, deep_run(where, placement)); };
           return compared(where, arm("pre"), arm("post"));
         });
       }},

      {"claim-warmup-rescues-post-norm",
       [](Lab& lab) {
         const std::vector<Where> usual =
                                      crossed({{"blocks", depths(lab)}, {"rate", {"0.001", "0.004"}}, {"warm-up", {"a tenth", "half"}}}),
                                  shallow = crossed({{"blocks", {"2", "6"}}, {"rate", {"0.004"}}, {"warm-up", {"a tenth", "half"}}}),
                                  deep{{{"blocks", "12"}, {"rate", "0.001"}, {"warm-up", "half"}}};
         return at_each(usual_and_long(lab, usual, joined(shallow, deep)), [&](const Where& where) {
           const auto arm = [&](const char* name, Warmup warmup) {
             const TrainOptions run = deep_run("post", whole_at(where, "blocks"), warmup, whole_at(where, "steps"));
             return lab.arm(name, with_rate(run, number_at(where, "rate")));
           };
           return compared(where, arm("with", warmup_at(where)), arm("without", Warmup::none));
         });
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

      {"erratum-3", residuals_against_none},

      {"erratum-10", each({}, [](const Where&, std::uint64_t seed) { return moved_by_alpha(WhatXIs::output, 24, seed); })},

      {"erratum-13",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         return lab.each(places(lab.full()), [&](const Where& where, std::uint64_t seed) { return margin_of(where, corpus, seed); });
       }},
  };
}

}  // namespace gradus::examples
