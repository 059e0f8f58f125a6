// The mean square of the numbers behind each of 40 layers y = f(Wx), W from N(0, 1/n), as JSON.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "docs/examples/spread.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t kWidth = 256, kSamples = 64;
constexpr int kLayers = 40, kSeeds = 5;

// Behind no layer, one, two …, for inputs from N(0, variance).
std::vector<double> mean_squares(const nn::Activation& f, double variance, std::uint64_t seed) {
  Generator generator(seed);
  Tensor x = std::sqrt(variance) * randn({kSamples, kWidth}, DType::f64, generator);
  std::vector<double> result{mean(square(x)).item()};
  for (int layer = 0; layer < kLayers; ++layer) {
    const Tensor weight = randn({kWidth, kWidth}, DType::f64, generator) / std::sqrt(double{kWidth});
    x = f(matmul(x, weight));
    result.push_back(mean(square(x)).item());
  }
  return result;
}

void line(const std::string& name, const nn::Activation& f, double variance, const char* end) {
  std::vector<std::vector<double>> runs;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) runs.push_back(mean_squares(f, variance, seed));
  fmt::print("\"{}\": {{\n  {}}}{}\n", name, docs::spread_of(runs), end);
}

}  // namespace

int main() {
  const NoGrad off;
  fmt::print("{{\n");
  line("SELU from 4", nn::act::selu, 4, ",");
  line("SELU from 0.25", nn::act::selu, 0.25, ",");
  line("ELU", nn::act::elu(), 1, ",");
  line("tanh", nn::act::tanh, 1, ",");
  line("ReLU", nn::act::relu, 1, "");
  fmt::print("}}\n");
}
