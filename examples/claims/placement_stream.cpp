#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/placement_training.h"
#include "examples/shared/data/ngrams.h"

namespace gradus::examples {
namespace {

// --- what the norm does to the stream ---------------------------------------------------------------------------------

// --- DeepNorm ---------------------------------------------------------------------------------------------------------

}  // namespace

Experiments stream_experiments() {
  return {
      {"claim-post-norm-weakens-identity",
       [](Lab& lab) {
         return lab.each(crossed({{"sublayers", {"noise of variance 1", "gpt2", "xavier-normal", "kaiming"}}}),
                         [](const Where& where, std::uint64_t seed) {
                           StackChoice choice{.placement = "post", .depth = 12};
                           const std::string& sublayers = level(where, "sublayers");
                           if (sublayers == "noise of variance 1") {
                             choice.placement = post_norm_of_noise;
                           } else {
                             choice.init = sublayers;
                           }
                           return std::abs(halvings_over_theory(choice, seed) - 1);
                         });
       }},

      {"claim-pre-norm-wider-not-deeper",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         const std::vector<std::string> placements{"pre", "post"};
         std::vector<std::string> steps;
         if (lab.usual_too()) steps = {"0", "50"};
         if (lab.longer_too()) steps.emplace_back("1000");
         const std::vector<Where> places = crossed({{"steps", steps}, {"init", {"xavier-normal", "gpt2"}}});
         const Evidence lost = lab.each(places, "placement", placements, [&](const Where& where, std::uint64_t seed) {
           std::vector<double> shares;
           for (const std::string& placement : placements) {
             StackChoice choice = stack_at(where, placement);
             choice.depth = 12;
             shares.push_back(lost_side_by_side(choice, corpus, seed, whole_at(where, "steps")));
           }
           return shares;
         });
         Evidence evidence;
         for (std::size_t i = 0; i < places.size(); ++i) {
           const auto& [pre, post] = std::pair(lost[2 * i].values, lost[2 * i + 1].values);
           evidence.push_back({places[i], pre, {{"pre", pre}, {"post", post}}, lost[2 * i].commits});
         }
         return evidence;
       }},

      {"claim-sandwich-bounds-activations",
       [](Lab& lab) {
         const std::vector<std::string> inits{"xavier-normal", "gpt2"};
         std::vector<Where> places;
         if (lab.usual_too()) places = crossed({{"steps", {"0"}}, {"init", inits}, {"weights", {"as drawn", "4 times as large"}}});
         if (lab.longer_too()) {
           for (const Where& where : crossed({{"steps", {"500"}}, {"init", inits}, {"weights", {"as drawn"}}})) places.push_back(where);
         }
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
         Evidence evidence;
         for (const Where& where :
              crossed({{"steps", lab.steps(deep_steps(lab))}, {"blocks", {lab.full() ? "12" : "6"}}, {"warm-up", {"none", "half"}}})) {
           const auto arm = [&](const char* placement) { return lab.arm(placement, with_rate(deep_run(where, placement), 0.064)); };
           evidence.push_back(compared(where, arm("sandwich"), arm("pre")));
         }
         return evidence;
       }},

      {"claim-deepnorm-1000-layers",
       [](Lab& lab) {
         const StackChoice thousand{.placement = "deepnorm", .depth = 1000, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
         const Corpus& corpus = lab.corpus(thousand.context);
         const std::vector<Where> places = crossed({{"steps", lab.steps(24)}});
         const Evidence losses =
             lab.each(places, "loss", {"before", "after", "on other text"}, [&](const Where& where, std::uint64_t seed) {
               return losses_from_below(thousand, corpus, 100, whole_at(where, "steps"), seed);
             });
         Evidence evidence;
         for (std::size_t i = 0; i < losses.size(); i += 3) {
           const auto values = [&](std::size_t which) { return losses[i + which].values; };
           Condition gained = compared(places[i / 3], {"after", values(1)}, {"before", values(0)});
           gained.arms = {{.name = "1,000 blocks", .losses = values(2), .line = pairs_line(corpus)}};
           gained.commits = losses[i].commits;
           evidence.push_back(gained);
         }
         return evidence;
       }},

      {"claim-deepnorm-bounded-updates",
       [](Lab& lab) {
         const std::vector<int64_t> depths{8, 16, 32, 64, 128};
         return lab.each(crossed({{"step", {"gradient descent", "Adam’s first"}}, {"parameters", {"linear maps", "all"}}}),
                         [&](const Where& where, std::uint64_t seed) {
                           const bool descent = level(where, "step") == "gradient descent";
                           const bool maps = level(where, "parameters") == "linear maps";
                           return update_growth({.placement = "deepnorm", .d_model = 32, .context = 16}, depths,
                                                descent ? DescentStep::gradient : DescentStep::sign, maps ? Moved::linear_maps : Moved::all,
                                                seed);
                         });
       }},
  };
}

}  // namespace gradus::examples
