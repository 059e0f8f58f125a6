// What the notes claim of feed-forward layers.
#include "examples/claims/all_claims.h"
#include "examples/claims/feed_forward_measures.h"
#include "examples/claims/lab.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::examples {
namespace {

using namespace nn;

}  // namespace

Experiments feed_forward_experiments() {
  return {
      {"claim-swiglu-beats-others-at-equal-parameters",
       [](Lab& lab) {
         const TrainOptions swiglu = lab.model_with("feed_forward", "swiglu");
         std::vector<Contest> contests;
         for (const char* other : {"relu", "gelu", "silu", "glu", "geglu"}) {
           contests.push_back({{{"against", other}}, swiglu, lab.model_with("feed_forward", other), "swiglu", other});
         }
         return lab.differences(contests);
       }},

      {"claim-gelu-beats-relu",
       [](Lab& lab) {
         return lab.differences({{{}, lab.model_with("feed_forward", "gelu"), lab.model_with("feed_forward", "relu"), "gelu", "relu"}});
       }},

      {"claim-glu-keeps-a-linear-gradient-path", each({{"layers", {"5", "20"}}, {"outputs", {"as they come", "scaled to size 1"}}},
                                                      [](const Where& where, std::uint64_t seed) {
                                                        const bool scaled = level(where, "outputs") == "scaled to size 1";
                                                        return decades_over_tanh(act::sigmoid, whole_at(where, "layers"), scaled, seed);
                                                      })},

      {"claim-multiples-of-64-run-faster", in_turn({{"other width", {"8d/3", "one less"}}, {"d", {"128", "256", "512"}}},
                                                   [](const Where& where, std::uint64_t) {
                                                     const int64_t d = whole_at(where, "d"), rounded = feed_forward_width(d, true, 64);
                                                     const bool exact = level(where, "other width") == "8d/3";
                                                     return time_of_widths(d, rounded,
                                                                           exact ? feed_forward_width(d, true, 1) : rounded - 1);
                                                   })},
  };
}

}  // namespace gradus::examples
