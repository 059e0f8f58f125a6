// How much of a gradient at h_T is left at the first state, by the cell and by T, as JSON: the length of dL/d(state 0) in
// parts of that of dL/dh_T, median of ten seeds. 16 units, inputs N(0, 1), the layers' own start.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/nn.h"
#include "nn/recurrent/cells.h"

using namespace gradus;

namespace {

constexpr int64_t kUnits = 16;

double length_of(const Tensor& t) { return std::sqrt(sum(square(t)).item()); }

template <typename L> double left_after(int64_t steps, std::uint64_t seed, double forget_bias) {
  manual_seed(seed);
  L layer(kUnits, kUnits);
  if (forget_bias != 0) {
    const Tensor bias = layer.bias_ih.detach();
    layer.bias_ih.assign(cat({slice(bias, 0, 0, kUnits), slice(bias, 0, kUnits, 2 * kUnits) + forget_bias, slice(bias, 0, 2 * kUnits)}, 0));
  }
  layer.to(DType::f64);
  const Tensor x = randn({1, steps, kUnits}, DType::f64), g = randn({1, kUnits}, DType::f64);
  const Tensor h = zeros({1, kUnits}, DType::f64).set_requires_grad(), c = zeros({1, kUnits}, DType::f64).set_requires_grad();
  const nn::RecurrentOutput result = layer(x, {h, c});
  sum(result.last.hidden * g).backward();
  const double by_cell = c.grad().defined() ? length_of(c.grad()) : 0;
  return std::hypot(length_of(h.grad()), by_cell) / length_of(g);
}

template <typename L> void write(const char* name, const std::vector<int64_t>& steps, double forget_bias = 0) {
  std::vector<std::string> medians;
  for (const int64_t n : steps) {
    std::vector<double> values;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) values.push_back(left_after<L>(n, seed, forget_bias));
    std::sort(values.begin(), values.end());
    medians.push_back(fmt::format("{:.2g}", (values[4] + values[5]) / 2));
  }
  fmt::print(",\n\"{}\": [{}]", name, fmt::join(medians, ", "));
}

}  // namespace

int main() {
  const std::vector<int64_t> steps{1, 2, 4, 8, 12, 16, 24, 32, 48, 64};
  fmt::print("{{\"steps\": [{}]", fmt::join(steps, ", "));
  write<nn::Elman>("elman", steps);
  write<nn::GRU>("gru", steps);
  write<nn::LSTM>("lstm", steps);
  write<nn::LSTM>("lstm-forget-4", steps, 4);
  fmt::print("\n}}\n");
}
