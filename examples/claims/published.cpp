// What others report of small language models, measured again at this size.
#include <fmt/format.h>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"

namespace gradus::examples {

Experiments published_experiments() {
  return {
      {"claim-dyt-no-better",
       [](Lab& lab) {
         const TrainOptions dyt = lab.model_with("norm", "dyt");
         std::vector<Contest> contests;
         for (const char* norm : {"rms", "layer"}) contests.push_back({{{"norm", norm}}, dyt, lab.model_with("norm", norm), "dyt", norm});
         return lab.differences(contests);
       }},

      {"claim-depth-scaled-norm-no-better",
       [](Lab& lab) {
         TrainOptions scaled = lab.model_with("placement", "depth-scaled-norm"), plain = lab.model_with("placement", "pre");
         const int64_t blocks = lab.full() ? 12 : 6;  // in a shallow stack there is little to scale
         scaled.model.layers = plain.model.layers = blocks;
         return lab.differences({{{{"blocks", fmt::to_string(blocks)}}, scaled, plain, "scaled", "pre"}});
       }},

      {"claim-partial-rope-slightly-worse",
       [](Lab& lab) {
         return lab.differences({{{}, lab.model_with("position", "rope-partial"), lab.model_with("position", "rope"), "half", "all"}});
       }},

      {"claim-squared-relu-beats-swiglu",
       [](Lab& lab) {
         return lab.differences(
             {{{}, lab.model_with("feed_forward", "swiglu"), lab.model_with("feed_forward", "relu2"), "swiglu", "relu2"}});
       }},
  };
}

}  // namespace gradus::examples
