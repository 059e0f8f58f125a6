#include <algorithm>

#include "core/tensor/random.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/init.h"
#include "nn/model/language_model.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/norm_table.h"

namespace gradus::examples {
namespace {

// The differences between two norms, in a model with the norms before its sublayers, and after.
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

double code_against_formula(const Where& where, std::uint64_t seed) {
  Generator generator(seed);
  const int64_t width = whole_at(where, "features");
  const Tensor x = randn({64, width}, DType::f64, generator);
  return relative_difference(nn::layer_norm_std(x), nn::layer_norm(x, {width}));
}

// A sentence that says which axes a norm averages over.
struct AxesSaid {
  std::string sentence;
  MakeNormOf norm;
  int channel_axis, rank;
  Axes named;
};

std::function<Evidence(Lab&)> footprints(const std::vector<AxesSaid>& said) {
  Factor sentences{"sentence", {}};
  for (const AxesSaid& one : said) sentences.levels.push_back(one.sentence);
  return each({sentences}, [said](const Where& where, std::uint64_t seed) {
    const auto one = std::find_if(said.begin(), said.end(), [&](const AxesSaid& any) { return any.sentence == level(where, "sentence"); });
    return footprint_error(one->norm, one->channel_axis, one->rank, one->named, seed);
  });
}

MakeNormOf in_a_block(const char* norm) {
  return [norm](int64_t width) { return nn::norms().find(norm).value({.width = width}); };
}
const MakeNormOf batch = [](int64_t channels) { return std::make_unique<nn::BatchNorm2d>(channels); },
                 instance = [](int64_t channels) { return std::make_unique<nn::InstanceNorm>(channels); };

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

      {"erratum-5", each({{"features", {"4", "64", "512"}}}, code_against_formula)},

      {"erratum-7",  // of images [N, C, H, W]
       footprints({{"batch norm averages over N", batch, 1, 4, {0}},
                   {"batch norm averages over each channel of an image", batch, 1, 4, {2, 3}},
                   {"instance norm averages over C and N", instance, 1, 4, {0, 1}}})},

      {"erratum-8",  // of sentences [B, T, C]
       footprints({{"layer norm averages over a sentence", in_a_block("layer"), 2, 3, {1, 2}},
                   {"batch norm averages over one position", in_a_block("batch"), 2, 3, {0}}})},
  };
}

}  // namespace gradus::examples
