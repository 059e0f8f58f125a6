#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/rms_norm.h"
#include "nn/norm/rms_norm.h"

namespace gradus::exercises::set {
namespace in_rms_norm {
namespace {

Probe probe(const std::string& name, int rows, int n, double eps, double size, std::uint64_t seed, bool with_g) {
  Probe p{name, {drawn("x", {rows, n}, seed, size, 0.4), drawn("gain", {1, n}, seed + 1, 0.5, 3), number("eps", eps)}};
  if (with_g) p.inputs.insert(p.inputs.begin(), drawn("g", {rows, n}, seed + 2));
  return p;
}

std::vector<Probe> probes(bool with_g) {
  std::vector<Probe> all = {probe("a row of 3, ε = 0.25", 1, 3, 0.25, 1, 11, with_g),
                            probe("two rows of 5, ε = 10⁻⁵", 2, 5, 1e-5, 1, 12, with_g),
                            probe("four rows of 7, ε = 10⁻²", 4, 7, 1e-2, 1, 13, with_g),
                            probe("three rows of 6, of size 10⁻³, ε = 4·10⁻⁶", 3, 6, 4e-6, 1e-3, 14, with_g),
                            probe("three rows of 4, of size 10⁴, ε = 10⁻⁵", 3, 4, 1e-5, 1e4, 15, with_g)};
  if (with_g) {  // no law divides by it
    all[2].name += ", one gain 0";
    all[2].inputs[2].numbers[2] = 0;
  }
  return all;
}

Outputs right_value(const Probe& p) {
  const Tensor gain = reshape(tensor_of(p["gain"]), {p["gain"].shape.back()});
  return {array_of("y", nn::rms_norm(tensor_of(p["x"]), gain, p.number("eps")))};
}

Outputs right_gradient(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), gain = tensor_of(p["gain"]).set_requires_grad();
  const Tensor y = nn::rms_norm(x, reshape(gain, {gain.size(1)}), p.number("eps"));
  const Tensors grads = grad({y}, {x, gain}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dx", grads[0]), array_of("dgain", grads[1])};
}

std::string mean_square_is_nearly_one(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < x.rows; ++i) {
    double of_x = 0, of_y = 0;
    for (int j = 0; j < x.columns; ++j) {
      const double y = outputs[0].numbers[static_cast<std::size_t>(i * x.columns + j)] / gain[0][j];
      of_x += x[i][j] * x[i][j] / x.columns;
      of_y += y * y / x.columns;
    }
    const double expected = of_x / (of_x + p.number("eps"));
    if (std::abs(of_y - expected) > 1e-6 * expected)
      return fmt::format("that of row {} is {}, not {}", i, beside(of_y, expected), beside(expected, of_y));
  }
  return "";
}

// The same where ε is too small to be to blame.
std::string mean_square_is_one(const Probe& p, const Outputs& outputs) {
  const double most = largest(p["x"]);
  return p.number("eps") > 1e-4 * most * most ? "" : mean_square_is_nearly_one(p, outputs);
}

std::string at_right_angles(const Probe& p, const Outputs& outputs) {
  const In g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < x.rows; ++i) {
    double square = 0, dot = 0, sum = 0;
    for (int j = 0; j < x.columns; ++j) {
      square += x[i][j] * x[i][j] / x.columns;
      dot += g[i][j] * gain[0][j] * x[i][j];
      sum += outputs[0].numbers[static_cast<std::size_t>(i * x.columns + j)] * x[i][j];
    }
    const double r = std::sqrt(square + p.number("eps")), expected = dot * p.number("eps") / (r * r * r);
    if (std::abs(sum - expected) > 1e-6 * std::abs(dot / r))
      return fmt::format("that of row {} is {}, not {}", i, beside(sum, expected), beside(expected, sum));
  }
  return "";
}

}  // namespace
}  // namespace in_rms_norm

Functions rms_norm(void (*value)(In, In, double, Out), void (*gradient)(In, In, In, double, Out, Out)) {
  return {by_names(value, {"x", "gain", "eps", "y = x"}), by_names(gradient, {"g", "x", "gain", "eps", "dx = x", "dgain = gain"})};
}

Exercise rms_norm_exercise() {
  using namespace in_rms_norm;
  return made_rms_norm::exercise(
      {
          {
              .right = right_value,
              .probes = probes(false),
              .laws = {{"without the gain, the mean square of y over a row is 1, if ε is tiny beside the numbers", mean_square_is_one,
                        "By what is a row divided: the root of which mean?"},
                       {"without the gain, the mean square of y over a row is m / (m + ε), where that of x is m", mean_square_is_nearly_one,
                        "Where does ε stand?"}},
          },
          {
              .right = right_gradient,
              .probes = probes(true),
              .laws = {{"the sum of dx ⊙ x over a row is what ε leaves of it, as but for ε a longer x gives the same y", at_right_angles,
                        "What comes back through r? Which term takes the part along x away?"}},
          },
      },
      {{{"rms_norm", "rms_norm_gradient"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}});
}

}  // namespace gradus::exercises::set
