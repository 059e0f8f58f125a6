#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/norm_table.h"

namespace gradus::examples {
namespace {

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

Evidence footprints(Lab& lab, const std::vector<AxesSaid>& said) {
  std::vector<Where> places;
  for (const AxesSaid& one : said) places.push_back({{"sentence", one.sentence}});
  return lab.each(places, [&](const Where& where, std::uint64_t seed) {
    for (const AxesSaid& one : said) {
      if (one.sentence == level(where, "sentence")) {
        return footprint_error(one.norm, one.channel_axis, one.rank, one.named, seed);
      }
    }
    throw ValueError("footprints: nothing is said of " + text_of(where));
  });
}

const std::vector<AxesSaid>& said_of_images() {  // [N, C, H, W]
  const MakeNormOf batch = [](int64_t channels) { return std::make_unique<nn::BatchNorm2d>(channels); },
                   instance = [](int64_t channels) { return std::make_unique<nn::InstanceNorm>(channels); };
  static const std::vector<AxesSaid> all{{"batch norm averages over N", batch, 1, 4, {0}},
                                         {"batch norm averages over each channel of an image", batch, 1, 4, {2, 3}},
                                         {"instance norm averages over C and N", instance, 1, 4, {0, 1}}};
  return all;
}

const std::vector<AxesSaid>& said_of_sentences() {  // [B, T, C]
  const auto in_a_block = [](const char* norm) { return [norm](int64_t width) { return nn::norms().find(norm).value({.width = width}); }; };
  static const std::vector<AxesSaid> all{{"layer norm averages over a sentence", in_a_block("layer"), 2, 3, {1, 2}},
                                         {"batch norm averages over one position", in_a_block("batch"), 2, 3, {0}}};
  return all;
}

}  // namespace

Experiments norm_errata() {
  return {
      {"erratum-5",
       [](Lab& lab) { return lab.each({{{"features", "4"}}, {{"features", "64"}}, {{"features", "512"}}}, code_against_formula); }},

      {"erratum-7", [](Lab& lab) { return footprints(lab, said_of_images()); }},

      {"erratum-8", [](Lab& lab) { return footprints(lab, said_of_sentences()); }},
  };
}

}  // namespace gradus::examples
