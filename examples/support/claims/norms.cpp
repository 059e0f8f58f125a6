#include "examples/support/claims/claims.h"
#include "examples/support/claims/lab.h"

namespace gradus::examples {

std::vector<Claim> norm_claims() {
  return {
      {.id = "claim-rms-equals-or-beats-layer",
       .sources = {{0, 52}, {1, 10}, {2, 115}},
       .quote = "效果通常与 LayerNorm 相当甚至更好",
       .says = "RMS norm is usually as good as layer norm, or better.",
       .predicted = Verdict::confirmed,
       .because = "Zhang and Sennrich (2019) saw no loss of quality on eight tasks.",
       .rule = {.statistic = "loss with RMS norm − loss with layer norm", .unit = "nats", .side = Side::below, .bound = 0.02},
       .beyond = "A difference smaller than the bound, and models a thousand times as large.",
       .measure = [](Lab& lab) {
         return lab.differences({{{}, lab.model_with("norm", "rms"), lab.model_with("norm", "layer")}});
       }},
  };
}

}  // namespace gradus::examples
