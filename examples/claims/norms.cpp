#include "core/tensor/random.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/init.h"
#include "nn/model/language_model.h"
#include "nn/norm/layer_norm.h"

namespace gradus::examples {
namespace {

TrainOptions with_placement(TrainOptions model, const std::string& placement) {
  vary(model, "placement", placement);
  return model;
}

// Of two norms, in a model with the norms before its sublayers, and after.
Evidence in_both_placements(Lab& lab, const TrainOptions& base, const std::string& first, const std::string& second) {
  std::vector<Contest> contests;
  for (const char* placement : {"pre", "post"}) {
    const auto model = [&](const std::string& norm) {
      TrainOptions options = base;
      vary(options, "norm", norm);
      return with_placement(options, placement);
    };
    contests.push_back({{{"placement", placement}}, model(first), model(second), first, second});
  }
  return lab.differences_at(lab.steps(base.schedule.total), contests);
}

// Smaller than the Lab's models: two runs of it differ less by chance.
TrainOptions small_trained(const Lab& lab) { return small_model(lab.full() ? 500 : 200); }

Contest without_and_with_biases(Lab& lab) {
  TrainOptions with = lab.model();
  with.model.bias = true;
  return {{{"biases", "of linear maps"}}, lab.model(), with, "without", "with"};
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
       [](Lab& lab) {
         return lab.differences_at(lab.steps(lab.model().schedule.total),
                                   {{{}, lab.model_with("norm", "rms"), lab.model_with("norm", "layer"), "rms", "layer"}});
       }},

      {"claim-rms-faster",
       [](Lab& lab) {
         std::vector<Where> places;
         for (const char* computed : {"kernels", "formula"}) {
           for (const char* width : {"64", "1024"}) places.push_back({{"computed", computed}, {"width", width}});
         }
         return lab.in_turn(places, rms_time_over_layer_time);
       }},

      {"claim-rescaling-matters-recentring-not",
       [](Lab& lab) { return in_both_placements(lab, small_trained(lab), "center-only", "scale-only"); }},

      {"claim-l2-norm-worse-than-rms", [](Lab& lab) { return in_both_placements(lab, lab.model(), "rms-l2", "rms"); }},

      {"claim-layer-norm-unstable-below-10-features",
       [](Lab& lab) {
         std::vector<Where> places;
         for (const char* features : {"2", "4", "8", "16", "32", "64"}) {
           for (const char* values : {"uniform", "normal", "Laplace"}) {
             places.push_back({{"features", features}, {"values", values}});
           }
         }
         return lab.each(places, [](const Where& where, std::uint64_t seed) {
           return deviation_error(level(where, "values"), whole_at(where, "features"), seed);
         });
       }},

      {"claim-batch-norm-fails-at-batch-1",
       [](Lab& lab) {
         return lab.each({{{"batch", "1"}}, {{"batch", "2"}}}, [&](const Where& where, std::uint64_t seed) {
           return batch_norm_over_group_norm(whole_at(where, "batch"), lab.full() ? 2400 : 1200, seed);
         });
       }},

      {"claim-batch-norm-mixes-sentences",
       [](Lab& lab) {
         std::vector<Where> places;
         for (const char* statistics : {"all tokens", "each position"}) {
           for (const char* mode : {"training", "use"}) places.push_back({{"statistics", statistics}, {"mode", mode}});
         }
         return lab.each(places, mixed_by_batch_norm);
       }},

      {"claim-layer-norm-same-in-train-and-eval",
       [](Lab& lab) { return lab.each({{{"of", "a norm"}}, {{"of", "a language model"}}}, layer_norm_in_train_and_eval); }},

      {"claim-bias-free-is-no-worse",
       [](Lab& lab) {
         const Contest of_norm{
             {{"biases", "of layer norm"}}, lab.model_with("norm", "layer-nobias"), lab.model_with("norm", "layer"), "without", "with"};
         return lab.differences_at(lab.steps(lab.model().schedule.total), {without_and_with_biases(lab), of_norm});
       }},

      {"claim-xavier-keeps-variance",
       [](Lab& lab) {
         std::vector<Where> places;
         for (const auto& [in, out] : {std::pair{"256", "256"}, {"64", "256"}, {"256", "64"}}) {
           for (const char* of : {"values", "gradients"}) places.push_back({{"fan in", in}, {"fan out", out}, {"of", of}});
         }
         return lab.each(places, xavier);
       }},
  };
}

}  // namespace gradus::examples
