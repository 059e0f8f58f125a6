// What is left of a gradient on its way down through 20 layers h ← f(W h) before any training, as JSON: 64 rows of width
// 256, W from N(0, gain²/256); median, least and greatest of 5 seeds.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "docs/examples/spread.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t kWidth = 256, kRows = 64;
constexpr std::size_t kLayers = 20, kSeeds = 5;

double length(const Tensor& g) { return std::sqrt(sum(square(cast(g, DType::f64))).item()); }

// ‖dL/dh_l‖ / ‖dL/dh_20‖ for l = 20 … 0.
std::vector<double> surviving(const nn::Activation& f, double gain, std::uint64_t seed) {
  Generator random(seed);
  Tensors h{randn({kRows, kWidth}, DType::f32, random).set_requires_grad()};
  for (std::size_t l = 0; l < kLayers; ++l) {
    Tensor weight = zeros({kWidth, kWidth});
    nn::init_kaiming_normal(weight, {.gain = gain}, random);
    h.push_back(f(nn::linear(h[l], weight)));
  }
  const Tensors gradients = grad({h.back()}, h, {.seeds = {randn({kRows, kWidth}, DType::f32, random)}});
  std::vector<double> left;
  for (std::size_t l = 0; l <= kLayers; ++l) left.push_back(length(gradients[kLayers - l]) / length(gradients[kLayers]));
  return left;
}

}  // namespace

int main() {
  const double root_2 = std::sqrt(2);
  std::string_view before = "{\"names\": {";
  for (const auto& [f, gain] : {std::pair{nn::act::sigmoid, 1.0}, {nn::act::tanh, 1.0}, {nn::act::relu, root_2}}) {
    std::vector<std::vector<double>> runs;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) runs.push_back(surviving(f, gain, seed));
    fmt::print("{}\n\"act-{}\": {{\n  {}}}", before, f.name(), docs::spread_of(runs));
    before = ",";
  }
  fmt::print("\n}}}}\n");
}
