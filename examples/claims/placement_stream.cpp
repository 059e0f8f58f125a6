#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/placement_measures.h"
#include "examples/shared/data/ngrams.h"

namespace gradus::examples {
Experiments stream_experiments() {
  return {
      {"claim-post-norm-weakens-identity", each({{"sublayers", {"noise of variance 1", "gpt2", "xavier-normal", "kaiming"}}},
                                                [](const Where& where, std::uint64_t seed) {
                                                  StackChoice choice{.placement = "post", .depth = 12};
                                                  const std::string& sublayers = level(where, "sublayers");
                                                  if (sublayers == "noise of variance 1") {
                                                    choice.placement = post_norm_of_noise;
                                                  } else {
                                                    choice.init = sublayers;
                                                  }
                                                  return std::abs(halvings_over_theory(choice, seed) - 1);
                                                })},

      {"claim-pre-norm-wider-not-deeper",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         const std::vector<std::string> steps = lab.usual_and_long<std::string>({"0", "50"}, {"1000"});
         const std::vector<Where> places = crossed({{"steps", steps}, {"init", {"xavier-normal", "gpt2"}}});
         return lab.each(places, {{"pre"}, {"post"}}, [&](const Where& where, std::uint64_t seed) {
           const auto lost = [&](const char* placement) {
             StackChoice choice = stack_at(where, placement);
             choice.depth = 12;
             return lost_side_by_side(choice, corpus, seed, whole_at(where, "steps"));
           };
           const double pre = lost("pre");
           return std::vector{pre, pre, lost("post")};
         });
       }},

      {"claim-sandwich-bounds-activations",
       [](Lab& lab) {
         const std::vector<std::string> inits{"xavier-normal", "gpt2"};
         const std::vector<Where> places =
             lab.usual_and_long(crossed({{"steps", {"0"}}, {"init", inits}, {"weights", {"as drawn", "4 times as large"}}}),
                                crossed({{"steps", {"500"}}, {"init", inits}, {"weights", {"as drawn"}}}));
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         return lab.each(places, [&](const Where& where, std::uint64_t seed) {
           constexpr double kSublayers = 2 * 24;
           const StackChoice choice = stack_at(where, "sandwich");
           const int64_t steps = whole_at(where, "steps");
           const double times = level(where, "weights") == "as drawn" ? 1 : 4;
           return (steps == 0 ? top_variance(choice, times, seed) : trained_top_variance(choice, corpus, seed, steps)) / (1 + kSublayers);
         });
       }},

      {"claim-sandwich-may-diverge",
       [](Lab& lab) {
         const std::vector<Where> places =
             crossed({{"steps", lab.steps(deep_steps(lab))}, {"blocks", {lab.full() ? "12" : "6"}}, {"warm-up", {"none", "half"}}});
         return at_each(places, [&](const Where& where) {
           const auto arm = [&](const char* placement) { return lab.arm(placement, with_rate(deep_run(where, placement), 0.064)); };
           return compared(where, arm("sandwich"), arm("pre"));
         });
       }},

      {"claim-deepnorm-1000-layers",
       [](Lab& lab) {
         const StackChoice thousand{.placement = "deepnorm", .depth = 1000, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
         const Corpus& corpus = lab.corpus(thousand.context);
         const Arm model{.name = "1,000 blocks", .line = pairs_line(corpus)};
         return lab.each(crossed({{"steps", lab.steps(24)}}), {model}, [&](const Where& where, std::uint64_t seed) {
           const std::vector<double> losses = losses_from_below(thousand, corpus, 100, whole_at(where, "steps"), seed);
           return std::vector{losses[1] - losses[0], losses[2]};
         });
       }},

      {"claim-deepnorm-bounded-updates",
       each({{"step", {"gradient descent", "Adam’s first"}}, {"parameters", {"linear maps", "all"}}},
            [](const Where& where, std::uint64_t seed) {
              const DescentStep step = level(where, "step") == "gradient descent" ? DescentStep::gradient : DescentStep::sign;
              const Moved moved = level(where, "parameters") == "linear maps" ? Moved::linear_maps : Moved::all;
              return update_growth({.placement = "deepnorm", .d_model = 32, .context = 16}, {8, 16, 32, 64, 128}, step, moved, seed);
            })},
  };
}

}  // namespace gradus::examples
