// The variance of the stream at the top of 12 blocks, against how many times larger than drawn all weights of the sublayers
// are, as JSON: width 32, layer norm, ReLU, Xavier normal, 4 × 32 random bytes; median, least and greatest of 5 seeds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "docs/examples/spread.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr std::size_t kSeeds = 5;
const std::vector<double> kTimes{1, 2, 4, 8};

double variance(const std::string& placement, double times, std::uint64_t seed) {
  manual_seed(seed);
  nn::LanguageModel model({.context = 32,
                           .d_model = 32,
                           .layers = 12,
                           .heads = 4,
                           .norm = "layer",
                           .placement = placement,
                           .feed_forward = "relu",
                           .init = "xavier-normal",
                           .embedding_scale = 5.657,
                           .tie_weights = false});
  const NoGrad off;
  for (NamedTensor& map : nn::linear_maps(model.stack().named_parameters())) map.tensor.assign(times * map.tensor);
  std::vector<nn::Stream> trace;
  model.stack()(model.embed(randint(0, 256, {4, 32})), {.trace = &trace});
  return var(trace.back().x, {}, 0).item();
}

}  // namespace

int main() {
  fmt::print("{{\"times\": [{}]", fmt::join(kTimes, ", "));
  for (const std::string placement : {"pre", "sandwich"}) {
    std::vector<std::vector<double>> runs(kSeeds);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      for (const double times : kTimes) runs[seed].push_back(variance(placement, times, seed));
    }
    fmt::print(",\n\"{}\": {{\n  {}}}", placement, docs::spread_of(runs));
  }
  fmt::print("\n}}\n");
}
