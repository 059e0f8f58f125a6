#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/layer_norm_gradient.h"
#include "nn/norm/layer_norm.h"

namespace gradus::exercises::set {
namespace in_layer_norm_gradient {
namespace {

Outputs value_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]);
  const Shape row = {x.size(1)};
  const Tensor gain = reshape(tensor_of(p["gain"]), row), bias = reshape(tensor_of(p["bias"]), row);
  return {array_of("y", nn::layer_norm(x, row, gain, bias, p.number("eps")))};
}

struct Row { double mean = 0, variance = 0, r = 0, mean_g = 0, mean_gx = 0; };

Outputs gradient_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), gain = tensor_of(p["gain"]).set_requires_grad();
  const Tensor bias = zeros(gain.shape(), DType::f64).set_requires_grad();
  const Shape row = {x.size(1)};
  const Tensor y = nn::layer_norm(x, row, reshape(gain, row), reshape(bias, row), p.number("eps"));
  const Tensors grads = grad({y}, {x, gain, bias}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dx", grads[0]), array_of("dgain", grads[1]), array_of("dbias", grads[2])};
}

// --- probes and laws -----------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  int rows, n;
  double eps, size, mean;
};
Probe probe(const Case& c, std::uint64_t seed, bool backward) {
  Probe p{c.name, {drawn("x", {c.rows, c.n}, seed, c.size, c.mean), drawn("gain", {1, c.n}, seed + 1, 0.5, 3)}};
  if (backward) p.inputs.insert(p.inputs.begin(), drawn("g", {c.rows, c.n}, seed + 2));
  else p.inputs.push_back(drawn("bias", {1, c.n}, seed + 3));
  p.inputs.push_back(number("eps", c.eps));
  return p;
}

std::vector<Probe> probes(bool backward) {
  std::vector<Probe> all = {probe({"a row of 3, ε = 0.25", 1, 3, 0.25, 1, 0.4}, 111, backward),
                            probe({"two rows of 5, ε = 10⁻⁵", 2, 5, 1e-5, 1, 0.4}, 112, backward),
                            probe({"four rows of 7, ε = 10⁻²", 4, 7, 1e-2, 2, 1}, 113, backward),
                            probe({"three rows of 6, of size 10⁻³, ε = 4·10⁻⁶", 3, 6, 4e-6, 1e-3, 0.4}, 114, backward)};
  all.push_back(probe({"two rows of 2, near 10⁸, ε = 1", 2, 2, 1, 1, 0}, 115, backward));
  for (Array& input : all.back().inputs) {  // whole numbers, and two in a row: a sum of them is the same in any order
    if (input.name == "x") input.numbers = {1e8 + 1, 1e8 - 1, 1e8 - 3, 1e8 + 3};
  }
  return all;
}

Row row_of(const Probe& p, int i) {
  const In x = p.in("x");
  Row row;
  for (int j = 0; j < x.columns; ++j) row.mean += x[i][j] / x.columns;
  for (int j = 0; j < x.columns; ++j) row.variance += (x[i][j] - row.mean) * (x[i][j] - row.mean) / x.columns;
  row.r = std::sqrt(row.variance + p.number("eps"));
  return row;
}

bool is_far_from_0(const Probe& p) { return p["x"].numbers[0] > 1e7; }

std::string is_centred_and_scaled(const Probe& p, const Outputs& outputs) {
  const In y{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()}, gain = p.in("gain"), bias = p.in("bias");
  for (int i = 0; i < y.rows; ++i) {
    double mean = 0, squares = 0;
    for (int j = 0; j < y.columns; ++j) mean += (y[i][j] - bias[0][j]) / gain[0][j] / y.columns;
    for (int j = 0; j < y.columns; ++j) squares += std::pow((y[i][j] - bias[0][j]) / gain[0][j] - mean, 2) / y.columns;
    const Row row = row_of(p, i);
    const double expected = row.variance / (row.r * row.r);
    if (std::abs(mean) > 1e-7) return fmt::format("the mean of row {} is {:.4g}, not 0", i, mean);
    if (std::abs(squares - expected) > 1e-7 * expected)
      return fmt::format("the variance of row {} is {}, not {}", i, beside(squares, expected), beside(expected, squares));
  }
  return "";
}

std::string moves_nothing_together(const Probe&, const Outputs& outputs) {
  const In dx{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()};
  for (int i = 0; i < dx.rows; ++i) {
    double sum = 0, size = 0;
    for (int j = 0; j < dx.columns; ++j) sum += dx[i][j], size += std::abs(dx[i][j]);
    if (std::abs(sum) > 1e-8 * size + 1e-12) return fmt::format("that of row {} is {:.4g}", i, sum);
  }
  return "";
}

std::string is_nearly_across(const Probe& p, const Outputs& outputs) {
  const In dx{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()}, g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < dx.rows; ++i) {
    const Row row = row_of(p, i);
    double along = 0, dot = 0, size = 0;
    for (int j = 0; j < dx.columns; ++j) {
      const double normalized = (x[i][j] - row.mean) / row.r;
      along += dx[i][j] * normalized;
      size += std::abs(dx[i][j] * normalized);
      dot += g[i][j] * gain[0][j] * normalized;
    }
    const double expected = dot * p.number("eps") / (row.r * row.r * row.r);
    if (std::abs(along - expected) > 1e-8 * (size + std::abs(expected)) + 1e-12) {
      return fmt::format("that of row {} is {}, not {}", i, beside(along, expected), beside(expected, along));
    }
  }
  return "";
}

constexpr const char* kDigits = "Near 10⁸ x² is about 10¹⁶, and σ² about 1: how many of 16 digits are left in E[x²] − μ²?";

}  // namespace
}  // namespace in_layer_norm_gradient

Functions layer_norm_gradient(void (*value)(In, In, In, double, Out), void (*gradient)(In, In, In, double, Out, Out, Out)) {
  return {by_names(value, {"x", "gain", "bias", "eps", "y = x"}),
          by_names(gradient, {"g", "x", "gain", "eps", "dx = x", "dgain = gain", "dbias = gain"})};
}

Exercise layer_norm_gradient_exercise() {
  using namespace in_layer_norm_gradient;
  return made_layer_norm_gradient::exercise(
      {
          {
              .right = value_right,
              .probes = probes(false),
              .laws = {{"without gain and bias each row has the mean 0 and the variance σ² / (σ² + ε)",
                        [](const Probe& p, const Outputs& outputs) { return is_far_from_0(p) ? "" : is_centred_and_scaled(p, outputs); },
                        "Work out μ, σ² and √(σ² + ε) of the first row. Which of the three is not what you have?"},
                       {"the same holds for a row that is far from 0", is_centred_and_scaled, kDigits}},
          },
          {
              .right = gradient_right,
              .probes = probes(true),
              .laws = {{"the sum of dx over a row is 0, as the same number added to all of x changes nothing", moves_nothing_together,
                        "What comes back through μ? Is a mean subtracted that makes the sum 0?"},
                       {"the sum of dx ⊙ x̂ over a row is what ε leaves of it, as but for ε a larger x − μ gives the same y",
                        is_nearly_across, "What comes back through r? Which term takes the part along x̂ away?"}},
          },
      },
      {{{"layer_norm", "layer_norm_gradient"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}});
}

}  // namespace gradus::exercises::set
