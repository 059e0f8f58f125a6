#include "core/tensor/random.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/init.h"
#include "nn/model/language_model.h"
#include "nn/norm/layer_norm.h"

namespace gradus::examples {
namespace {

// Of two norms, in a model with the norms before its sublayers, and after.
Evidence in_both_placements(Lab& lab, const TrainOptions& base, const std::string& first, const std::string& second) {
  const std::vector<TrainOptions> models = cross(base, {{"placement", {"pre", "post"}}, {"norm", {first, second}}});
  return lab.differences(
      {{{{"placement", "pre"}}, models[0], models[1], first, second}, {{{"placement", "post"}}, models[2], models[3], first, second}});
}

double layer_norm_in_train_and_eval(const Where& where, std::uint64_t seed) {
  manual_seed(seed);
  if (level(where, "of") == "a norm") {
    nn::LayerNorm norm({16});
    return train_against_eval(norm, randn({4, 16}));
  }
  nn::LanguageModel model({.vocabulary = 32, .context = 16, .d_model = 32, .layers = 2, .norm = "layer"});
  return train_against_eval(model, randint(0, 32, {4, 16}));
}

double xavier(const Where& where, std::uint64_t seed) {
  const Start start = [](Tensor& weight, Generator& generator) { nn::init_xavier_normal(weight, 1, generator); };
  const Way way = level(where, "of") == "values" ? Way::up : Way::down;
  return factor_off(variance_ratio(start, whole_at(where, "fan in"), whole_at(where, "fan out"), way, seed));
}

}  // namespace

Experiments norm_experiments() {
  return {
      {"claim-rms-equals-or-beats-layer",
       [](Lab& lab) { return lab.differences({{{}, lab.model_with("norm", "rms"), lab.model_with("norm", "layer"), "rms", "layer"}}); }},

      {"claim-rms-faster", in_turn({{"computed", {"kernels", "formula"}}, {"width", {"64", "1024"}}}, rms_time_over_layer_time)},

      {"claim-rescaling-matters-recentring-not",
       [](Lab& lab) {  // in a model smaller than the lab's: two runs of it differ less by chance
         return in_both_placements(lab, small_model(lab.full() ? 500 : 200), "center-only", "scale-only");
       }},

      {"claim-l2-norm-worse-than-rms", [](Lab& lab) { return in_both_placements(lab, lab.model(), "rms-l2", "rms"); }},

      {"claim-layer-norm-unstable-below-10-features",
       each({{"features", {"2", "4", "8", "16", "32", "64"}}, {"values", {"uniform", "normal", "Laplace"}}},
            [](const Where& where, std::uint64_t seed) {
              return deviation_error(level(where, "values"), whole_at(where, "features"), seed);
            })},

      {"claim-batch-norm-fails-at-batch-1",
       [](Lab& lab) {
         return lab.each(crossed({{"batch", {"1", "2"}}}), [&](const Where& where, std::uint64_t seed) {
           return batch_norm_over_group_norm(whole_at(where, "batch"), lab.full() ? 2400 : 1200, seed);
         });
       }},

      {"claim-batch-norm-mixes-sentences",
       each({{"statistics", {"all tokens", "each position"}}, {"mode", {"training", "use"}}}, mixed_by_batch_norm)},

      {"claim-layer-norm-same-in-train-and-eval", each({{"of", {"a norm", "a language model"}}}, layer_norm_in_train_and_eval)},

      {"claim-bias-free-is-no-worse",
       [](Lab& lab) {
         TrainOptions with = lab.model();
         with.model.bias = true;
         return lab.differences(
             {{{{"biases", "of linear maps"}}, lab.model(), with, "without", "with"},
              {{{"biases", "of layer norm"}}, lab.model_with("norm", "layer-nobias"), lab.model_with("norm", "layer"), "without", "with"}});
       }},

      {"claim-xavier-keeps-variance",
       [](Lab& lab) {
         const Factor of{"of", {"values", "gradients"}};
         return lab.each(joined(crossed({{"fan in", {"256", "64"}}, {"fan out", {"256"}}, of}),
                                crossed({{"fan in", {"256"}}, {"fan out", {"64"}}, of})),
                         xavier);
       }},
  };
}

}  // namespace gradus::examples
