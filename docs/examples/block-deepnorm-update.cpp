// How far one step of gradient descent on the linear maps moves what a stack hands on, ‖ΔF‖ / η, against the depth, as JSON:
// width 16, 2 heads, feed-forward layers with ReLU, 2 × 8 random bytes, Xavier normal; median, least and greatest of 5 seeds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "docs/examples/spread.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr std::size_t kSeeds = 5;
const std::vector<int64_t> kDepths{2, 4, 8, 16, 32, 64};

double moved(const std::string& placement, int64_t depth, std::uint64_t seed) {
  manual_seed(seed);
  nn::LanguageModel model({.context = 8,
                           .d_model = 16,
                           .layers = depth,
                           .heads = 2,
                           .norm = "layer",
                           .placement = placement,
                           .feed_forward = "relu",
                           .init = "xavier-normal",
                           .embedding_scale = 4,
                           .tie_weights = false});
  model.to(DType::f64);
  const Tensor x = model.embed(randint(0, 256, {2, 8})).detach(), targets = randint(0, 256, {2, 8});
  nn::Stack& stack = model.stack();
  const Tensor before = stack(x);
  nn::NamedTensors maps = nn::linear_maps(stack.named_parameters());
  Tensors weights;
  for (const NamedTensor& map : maps) weights.push_back(map.tensor);
  const Tensors gradients = grad({nn::cross_entropy(model.logits(before), targets)}, weights);
  const NoGrad off;
  constexpr double eta = 1e-5;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].assign(weights[i] - eta * gradients[i]);
  return std::sqrt(sum(square(stack(x) - before)).item()) / eta;
}

}  // namespace

int main() {
  fmt::print("{{\"depths\": [{}]", fmt::join(kDepths, ", "));
  for (const std::string placement : {"post", "pre", "deepnorm", "deepnorm-glm"}) {
    std::vector<std::vector<double>> runs(kSeeds);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      for (const int64_t depth : kDepths) runs[seed].push_back(moved(placement, depth, seed));
    }
    fmt::print(",\n\"{}\": {{\n  {}}}", placement, docs::spread_of(runs));
  }
  fmt::print("\n}}\n");
}
