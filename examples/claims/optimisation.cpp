#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/models_measures.h"

namespace gradus::examples {

Experiments optimisation_experiments() {
  return {
      {"claim-cosine-beats-constant",
       [](Lab& lab) {
         TrainOptions cosine = lab.model(), constant = cosine;
         constant.schedule_name = "warmup";  // which then stays
         return lab.differences_at(lab.steps(cosine.schedule.total), {{{}, cosine, constant, "cosine", "constant"}});
       }},

      {"claim-decoupled-decay-is-not-l2",
       [](Lab& lab) {
         std::vector<Where> places;
         for (const char* optimizer : {"sgd", "adam"}) {
           for (const char* scale : {"0.1", "1", "10"}) places.push_back({{"optimizer", optimizer}, {"noise", scale}});
         }
         return lab.each(places, [](const Where& where, std::uint64_t seed) {
           return std::abs(decay_apart(level(where, "optimizer"), number_at(where, "noise"), seed));
         });
       }},

      {"claim-dropout-unneeded-on-one-pass",
       [](Lab& lab) {
         TrainOptions without = lab.model(), dropped = without;
         dropped.model.dropout = 0.1;
         return lab.differences_at(lab.steps(without.schedule.total), {{{}, without, dropped, "without", "dropout"}});
       }},
  };
}

}  // namespace gradus::examples
