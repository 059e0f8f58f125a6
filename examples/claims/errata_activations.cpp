// Sentences of the notes on activations, weight decay and cross-attention that are wrong as they stand.
#include "core/core.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/sentence_measures.h"
#include "examples/claims/unit_measures.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"

namespace gradus::examples {

Experiments activation_errata() {
  return {
      {"erratum-1",
       each({}, [](const Where&,
                   std::uint64_t seed) { return error_of_slope([](const Tensor& x) { return sigmoid(x) * sigmoid(1 - x); }, seed); })},

      {"erratum-2",
       each({{"gradient", {"none", "towards a target"}}},
            [](const Where& where, std::uint64_t seed) { return decay_against_schedule(level(where, "gradient") != "none", seed); })},

      {"erratum-6", each({},
                         [](const Where&, std::uint64_t seed) {
                           return distance_of_cross_attention({.queries = From::encoder, .keys = From::encoder, .values = From::decoder},
                                                              seed);
                         })},

      {"erratum-11", each({{"negative on", {"one image", "every image"}}, {"gradient of", {"the unit", "the units after it"}}},
                          [](const Where& where, std::uint64_t seed) {
                            const Silence silence{.on_every_image = level(where, "negative on") == "every image",
                                                  .layer_after = level(where, "gradient of") == "the units after it"};
                            return share_without_gradient(nn::act::relu, silence, seed);
                          })},
  };
}

}  // namespace gradus::examples
