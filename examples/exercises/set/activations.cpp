#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/activations.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/swish.h"

namespace gradus::exercises::set {
namespace in_activations {
namespace {

using std::numbers::pi;

// The second of two rows is minus the first, for the laws.
Array mirrored(int n, std::uint64_t seed) {
  Array x = drawn("x", {1, n}, seed, 2, 0.4);
  x.shape = {2, n};
  for (int j = 0; j < n; ++j) x.numbers.push_back(-x.numbers[static_cast<std::size_t>(j)]);
  return x;
}

std::vector<Probe> with_g(std::vector<Probe> probes) {
  std::uint64_t seed = 120;
  for (Probe& probe : probes) probe.inputs.insert(probe.inputs.begin(), drawn("g", probe["x"].shape, seed++, 1, 0.3));
  probes[0].inputs[0].numbers = {2, 3, -1};
  return probes;
}

std::vector<Probe> leaky_probes() {
  return {{"a row of 3, with a slope of ¼", {array("x", {1, 3}, {-2, 4, -1}), number("slope", 0.25)}},
          {"three rows of 5, with a slope of 0.01", {drawn("x", {3, 5}, 111, 2, 0.2), number("slope", 0.01)}},
          {"two rows of 4, with a slope of 1.5", {drawn("x", {2, 4}, 112, 2, -0.2), number("slope", 1.5)}},
          {"four rows of 7, with a slope of 0", {drawn("x", {4, 7}, 113, 2, 0.2), number("slope", 0)}},
          {"a row of 4, one of them 0, with a slope of 0.1", {array("x", {1, 4}, {1.5, 0, -3, 0.25}), number("slope", 0.1)}}};
}

std::vector<Probe> curve_probes() {
  return {{"a row of 3", {array("x", {1, 3}, {-2, 0.5, 1})}},
          {"two rows of 5, the second minus the first", {mirrored(5, 115)}},
          {"four rows of 7", {drawn("x", {4, 7}, 116, 2, 0.2)}},
          {"a row of 5, far out", {array("x", {1, 5}, {-800, -30, 0, 30, 800})}},
          {"a row of one", {array("x", {1, 1}, {-20.5})}}};
}

template <typename F> Outputs right_value(const Probe& p, const F& f) { return {array_of("y", f(tensor_of(p["x"])))}; }

template <typename F> Outputs right_gradient(const Probe& p, const F& f) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  return {array_of("dx", grad({f(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::string itself_above_0(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&x = p["x"].numbers, &y = outputs[0].numbers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0 && y[i] != x[i]) return fmt::format("x is {:.4g}, and y {:.4g}", x[i], y[i]);
  }
  return "";
}

std::string slope_below_0(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&x = p["x"].numbers, &y = outputs[0].numbers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < 0 && !(std::abs(y[i] - p.number("slope") * x[i]) < 1e-9)) return fmt::format("x is {:.4g}, and y {:.4g}", x[i], y[i]);
  }
  return "";
}

std::string g_above_0(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&x = p["x"].numbers, &g = p["g"].numbers, &dx = outputs[0].numbers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0 && dx[i] != g[i]) return fmt::format("x is {:.4g}, g {:.4g}, and dx {:.4g}", x[i], g[i], dx[i]);
  }
  return "";
}

bool is_mirrored(const In& x) {
  if (x.rows != 2) return false;
  for (int j = 0; j < x.columns; ++j) {
    if (x[0][j] != -x[1][j]) return false;
  }
  return true;
}

std::string apart_by_x(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int j = 0; is_mirrored(x) && j < x.columns; ++j) {
    if (!(std::abs(y[0][j] - y[1][j] - x[0][j]) < 1e-9)) {
      return fmt::format("for {:.4g} and {:.4g} it is {:.4g} − ({:.4g})", x[0][j], x[1][j], y[0][j], y[1][j]);
    }
  }
  return "";
}

std::string slopes_add_to_1(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), g = p.in("g"), dx = in(outputs[0]);
  for (int j = 0; is_mirrored(x) && j < x.columns; ++j) {
    const double a = dx[0][j] / g[0][j], b = dx[1][j] / g[1][j];
    if (!(std::abs(a + b - 1) < 1e-9))
      return fmt::format("at {:.4g} and {:.4g} they are {} and {}", x[0][j], x[1][j], beside(a, b), beside(b, a));
  }
  return "";
}

std::string like_relu_far_out(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&x = p["x"].numbers, &y = outputs[0].numbers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::abs(x[i]) >= 30 && !(std::abs(y[i] - std::max(x[i], 0.0)) < 1e-9)) return fmt::format("x is {:.4g}, and y {:.4g}", x[i], y[i]);
  }
  return "";
}

std::string slope_like_relu_far_out(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&x = p["x"].numbers, &g = p["g"].numbers, &dx = outputs[0].numbers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double slope = dx[i] / g[i];
    if (std::abs(x[i]) >= 30 && !(std::abs(slope - (x[i] > 0 ? 1 : 0)) < 1e-9)) return fmt::format("at {:.4g} it is {:.4g}", x[i], slope);
  }
  return "";
}

// g times the difference of f at two neighbours of x; not at a kink at 0, and not where it is too flat to tell.
template <typename F> std::string as_small_steps(const Probe& p, const Outputs& outputs, const F& f) {
  constexpr double h = 1e-5;
  const Tensor x = tensor_of(p["x"]);
  const Array difference = array_of("", (f(x + h) - f(x - h)) / (2 * h));
  for (std::size_t i = 0; i < p["x"].numbers.size(); ++i) {
    const double at = p["x"].numbers[i], g = p["g"].numbers[i], got = outputs[0].numbers[i], expected = g * difference.numbers[i];
    if (std::abs(at) < h || std::abs(at) > 100 || std::abs(got - expected) < 1e-6) continue;
    return fmt::format("x is {:.4g}, g {:.4g}, and dx {}, where a step shows {}", at, g, beside(got, expected), beside(expected, got));
  }
  return "";
}

}  // namespace
}  // namespace in_activations

Functions activations(LeakyValue leaky_relu, LeakyGradient leaky_relu_gradient, CurveValue silu, CurveGradient silu_gradient,
                      CurveValue gelu, CurveGradient gelu_gradient) {
  return {by_names(leaky_relu, {"x", "slope", "y = x"}),
          by_names(leaky_relu_gradient, {"g", "x", "slope", "dx = x"}),
          by_names(silu, {"x", "y = x"}),
          by_names(silu_gradient, {"g", "x", "dx = x"}),
          by_names(gelu, {"x", "y = x"}),
          by_names(gelu_gradient, {"g", "x", "dx = x"})};
}

Exercise activations_exercise() {
  using namespace in_activations;
  return made_activations::exercise(
      {
          {
              .right = [](const Probe& p) { return right_value(p, nn::act::leaky_relu(p.number("slope"))); },
              .probes = leaky_probes(),
              .laws = {{"above 0, y is x", itself_above_0, "What does your function do to a number that is above 0?"},
                       {"below 0, y is the slope times x", slope_below_0,
                        "What happens to a number below 0, and where does the slope come in?"}},
          },
          {
              .right = [](const Probe& p) { return right_gradient(p, nn::act::leaky_relu(p.number("slope"))); },
              .probes = with_g(leaky_probes()),
              .laws = {{"above 0, dx is g", g_above_0, "How fast does y grow with x, where x is above 0?"},
                       {"a gradient is what a small step of x shows",
                        [](const Probe& p, const Outputs& outputs) {
                          return as_small_steps(p, outputs, nn::act::leaky_relu(p.number("slope")));
                        },
                        "On which side of 0 is the slope 1, and what is it on the other?"}},
          },
          {
              .right = [](const Probe& p) { return right_value(p, nn::act::silu); },
              .probes = curve_probes(),
              .laws = {{"SiLU(x) − SiLU(−x) is x", apart_by_x, "What do the two branches, or the two signs, of your function add up to?"},
                       {"far to the right y is x, and far to the left 0", like_relu_far_out,
                        "What does your gate become far to the right, and far to the left?"}},
          },
          {
              .right = [](const Probe& p) { return right_gradient(p, nn::act::silu); },
              .probes = with_g(curve_probes()),
              .laws = {{"the slopes at x and at −x add up to 1", slopes_add_to_1,
                        "Which two terms has the slope of a product, and what are they at −x?"},
                       {"far to the right the slope is 1, and far to the left 0", slope_like_relu_far_out,
                        "Which of your terms should vanish far out, and which should become 1?"},
                       {"a gradient is what a small step of x shows",
                        [](const Probe& p, const Outputs& outputs) { return as_small_steps(p, outputs, nn::act::silu); },
                        "y is a product: which two terms has its slope?"}},
          },
          {
              .right = [](const Probe& p) { return right_value(p, nn::act::gelu); },
              .probes = curve_probes(),
              .laws = {{"GELU(x) − GELU(−x) is x", apart_by_x, "What do the two branches, or the two signs, of your function add up to?"},
                       {"far to the right y is x, and far to the left 0", like_relu_far_out,
                        "What does your gate become far to the right, and far to the left?"}},
          },
          {
              .right = [](const Probe& p) { return right_gradient(p, nn::act::gelu); },
              .probes = with_g(curve_probes()),
              .laws = {{"the slopes at x and at −x add up to 1", slopes_add_to_1,
                        "Which two terms has the slope of a product, and what are they at −x?"},
                       {"far to the right the slope is 1, and far to the left 0", slope_like_relu_far_out,
                        "Which of your terms should vanish far out, and which should become 1?"},
                       {"a gradient is what a small step of x shows",
                        [](const Probe& p, const Outputs& outputs) { return as_small_steps(p, outputs, nn::act::gelu); },
                        "y is a product: which two terms has its slope?"}},
          },
      },
      {{{"gelu", "gelu_gradient"}, {{"", "is made of erf"}, {"act/gelu-other", "is made of tanh"}}}});
}

}  // namespace gradus::exercises::set
