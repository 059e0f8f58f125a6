#include <algorithm>

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

Experiments norm_errata() {
  return {
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
