// What is left of a gradient on its way down through 30 layers of tanh(W h) before any training, with a residual connection
// around each and without, as JSON: 12 rows of width 16, W from N(0, 0.15²); median, least and greatest of 5 seeds.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "docs/examples/spread.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t kWidth = 16, kRows = 12;
constexpr std::size_t kLayers = 30, kSeeds = 5;

double length(const Tensor& g) { return std::sqrt(sum(square(g)).item()); }

// ‖dL/dh_l‖ / ‖dL/dh_30‖ for l = 30 … 0.
std::vector<double> surviving(bool residual, std::uint64_t seed) {
  Generator random(seed);
  Tensors h{randn({kRows, kWidth}, DType::f64, random).set_requires_grad()};
  for (std::size_t l = 0; l < kLayers; ++l) {
    const Tensor y = tanh(matmul(h[l], 0.15 * randn({kWidth, kWidth}, DType::f64, random)));
    h.push_back(residual ? h[l] + y : y);
  }
  const Tensors gradients = grad({h.back()}, h, {.seeds = {randn({kRows, kWidth}, DType::f64, random)}});
  std::vector<double> left;
  for (std::size_t l = 0; l <= kLayers; ++l) left.push_back(length(gradients[kLayers - l]) / length(gradients[kLayers]));
  return left;
}

}  // namespace

int main() {
  std::string_view before = "{";
  for (const bool residual : {false, true}) {
    std::vector<std::vector<double>> runs;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) runs.push_back(surviving(residual, seed));
    fmt::print("{}\n\"{}\": {{\n  {}}}", before, residual ? "residual" : "plain", docs::spread_of(runs));
    before = ",";
  }
  fmt::print("\n}}\n");
}
