#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/models_measures.h"

namespace gradus::examples {

std::vector<Claim> optimisation_claims() {
  return {
      {.id = "claim-cosine-beats-constant",
       .sources = {{1, 61}},
       .quote = "现在主流模型都使用cosine LR decay",
       .says = "Today’s models all let the learning rate fall along a cosine. Taken to mean: the loss ends lower than "
               "with a constant rate.",
       .predicted = Verdict::confirmed,
       .because = "Hägele et al. (2024): a constant rate stays above the cosine until it is cooled down.",
       .rule = {.statistic = "loss with the cosine − loss with a rate that stays after the same warm-up",
                .unit = "nats",
                .side = Side::below,
                .must_train = MustTrain::each},
       .beyond = "Runs of other lengths: the cosine has to know its end beforehand, the constant rate does not.",
       .measure =
           [](Lab& lab) {
             TrainOptions cosine = lab.model(), constant = cosine;
             constant.schedule_name = "warmup";  // which then stays
             return lab.differences_at(lab.steps(cosine.schedule.total), {{{}, cosine, constant, "cosine", "constant"}});
           }},
      {.id = "claim-decoupled-decay-is-not-l2",
       .sources = {{1, 61}},
       .quote = "weight decay",
       .says = "The note names weight decay, and not which: decay of the weight itself is another thing than L2 through "
               "the gradient.",
       .predicted = Verdict::depends,
       .because = "Loshchilov and Hutter (2019): with SGD they are the same; Adam divides λθ by the gradient's size.",
       .rule = {.statistic = "difference between what the two leave of a weight that begins at 1 and sees only noise",
                .side = Side::above,
                .bound = 0.05},
       .beyond = "Weights that a loss pulls at as well.",
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const char* optimizer : {"sgd", "adam"}) {
               for (const char* scale : {"0.1", "1", "10"}) places.push_back({{"optimizer", optimizer}, {"noise", scale}});
             }
             return lab.each(places, [](const Where& where, std::uint64_t seed) {
               return std::abs(decay_apart(level(where, "optimizer"), std::stod(level(where, "noise")), seed));
             });
           }},
      {.id = "claim-dropout-unneeded-on-one-pass",
       .sources = {{1, 61}},
       .quote = "现在模型越来越少用Dropout层了",
       .says = "Models use dropout less and less. Taken to mean: one that sees each text once is as good without it.",
       .predicted = Verdict::confirmed,
       .because = "Raffel et al. (2020) drop it: nothing is seen twice, so there is nothing to learn by heart.",
       .rule = {.statistic = "loss without dropout − loss with a dropout of 0.1",
                .unit = "nats",
                .side = Side::below,
                .bound = 0.02,
                .must_train = MustTrain::each},
       .beyond = "Runs of several passes, where dropout may help.",
       .measure =
           [](Lab& lab) {
             TrainOptions without = lab.model(), dropped = without;
             dropped.model.dropout = 0.1;
             return lab.differences_at(lab.steps(without.schedule.total), {{{}, without, dropped, "without", "dropout"}});
           }},
  };
}

}  // namespace gradus::examples
