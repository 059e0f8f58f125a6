#include "nn/feed_forward/bounded_gates.h"

#include "nn/activation/bounded.h"

namespace gradus::nn {

GatedUnit clamped_swiglu(double limit) {
  return {.name = "SwiGLU(clamped)", .activation = act::clamped_silu(limit), .value = act::clamped_value(limit)};
}

GatedUnit swiglu_oai(double limit) {
  return {.name = "SwiGLU(OAI)",
          .activation = act::clamped_quick_gelu(limit),
          .bias = FeedForwardBias::all,
          .value = act::clamped_value_plus_one(limit)};
}

GatedUnit situ(double limit, double value_limit) {
  return {.name = "SiTU", .activation = act::situ(limit), .value = act::softcap(value_limit)};
}

}  // namespace gradus::nn
