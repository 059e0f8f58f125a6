#include "examples/exercises/set/activations.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/swish.h"

namespace gradus::exercises::set {
namespace in_activations {
namespace {

using std::numbers::pi;

template <typename F> Outputs value_of_each(const Probe& p, const F& f) {
  Array y = p["x"];
  y.name = "y";
  for (double& number : y.numbers) number = f(number);
  return {y};
}

template <typename F> Outputs gradient_of_each(const Probe& p, const F& f) {
  Array dx = p["x"];
  dx.name = "dx";
  for (std::size_t i = 0; i < dx.numbers.size(); ++i) dx.numbers[i] = f(p["g"].numbers[i], dx.numbers[i]);
  return {dx};
}

enum WrongLeaky { as_max, slope_missing, slope_above, slope_hard_coded, of_size, slope_alone, both_added, slope_divides };

Outputs leaky_with(const Probe& p, Made made) {
  const double slope = made[slope_hard_coded] ? 0.01 : made[slope_missing] ? 0 : p.number("slope");
  return value_of_each(p, [&](double x) {
    const double size = made[of_size] ? std::abs(x) : x, leak = made[slope_alone] ? slope : made[slope_divides] ? x / slope : slope * size;
    if (made[as_max]) return std::max(x, leak);
    if (made[both_added]) return std::max(x, 0.0) + leak;
    return (x > 0) != made[slope_above] ? x : leak;
  });
}

enum WrongLeakyGradient { times_x, as_relu, g_slope_hard_coded, sides_exchanged, is_value, without_g, kink_one, side_by_g, slope_negated,
                          g_below_alone, g_above_alone, flat_at_0, x_for_g };

Outputs leaky_gradient_with(const Probe& p, Made made) {
  const double given = made[g_slope_hard_coded] ? 0.01 : made[as_relu] ? 0 : p.number("slope");
  const double slope = made[slope_negated] ? -given : given;
  return gradient_of_each(p, [&](double g, double x) {
    const bool above = made[side_by_g] ? g > 0 : made[kink_one] ? x >= 0 : x > 0;
    double d = above != made[sides_exchanged] ? 1 : slope * (made[times_x] ? x : 1);
    if (made[is_value]) d = above != made[sides_exchanged] ? x : slope * x;
    if (made[flat_at_0] && x == 0) return 0.0;
    if (made[x_for_g] && !above) return slope * x;
    if (made[above ? g_below_alone : g_above_alone]) return d;
    return d * (made[without_g] ? 1 : g);
  });
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double sigmoid_by_quotient(double x) { return std::exp(x) / (1 + std::exp(x)); }

enum WrongSilu { without_x, minus_x, overflow, of_tanh, silu_quick, as_relu_2, sigmoid_twice, minus_below, sigmoid_added, divided_first, of_softplus };

Outputs silu_with(const Probe& p, Made made) {
  return value_of_each(p, [&](double x) {
    const double at = (made[minus_x] ? -x : x) * (made[silu_quick] ? 1.702 : 1);
    double gate = made[of_tanh] ? std::tanh(at) : made[overflow] ? sigmoid_by_quotient(at) : sigmoid_of(at);
    if (made[sigmoid_twice]) gate = sigmoid_of(gate);
    if (made[minus_below]) gate = 1 / (1 - std::exp(-at));
    if (made[as_relu_2]) gate = x > 0 ? 1 : 0;
    if (made[of_softplus]) gate = std::log(1 + std::exp(x));
    if (made[divided_first]) return x + std::exp(-x);
    if (made[sigmoid_added]) return x + gate;
    return made[without_x] ? gate : x * gate;
  });
}

enum WrongSiluGradient { of_output, first_term, second_term, x_missing, prime_without_s, prime_of_tanh, prime_of_x, term_sign,
                         of_exponentials, s_is_value, s_without_g, s_overflow, g_for_one_term,
                         bracket_early, without_one_minus, y_in_slope, y_for_share };

Outputs silu_gradient_with(const Probe& p, Made made) {
  return gradient_of_each(p, [&](double g, double x) {
    const double at = made[of_output] ? x * sigmoid_of(x) : x, s = made[s_overflow] ? sigmoid_by_quotient(at) : sigmoid_of(at);
    const double e = std::exp(-at);
    const double prime = made[of_exponentials] ? e / ((1 + e) * (1 + e)) : made[prime_without_s] ? 1 - s : made[prime_of_tanh] ? 1 - s * s
                       : made[prime_of_x] ? at * (1 - at) : s * (1 - s);
    const double second = made[first_term] ? 0 : (made[x_missing] ? 1 : at) * prime;
    const double d = made[s_is_value] ? at * s : (made[second_term] ? 0 : s) + (made[term_sign] ? -second : second);
    if (made[g_for_one_term]) return s * g + d - s;
    if (made[bracket_early]) return g * (s + at) * prime;
    if (made[without_one_minus]) return g * s * (1 + at);
    if (made[y_in_slope]) return g * (s + at * s * (1 - at * s));
    if (made[y_for_share]) return g * (at * s + s * (1 - s));
    return d * (made[s_without_g] ? 1 : g);
  });
}

enum WrongGelu { other, quick, without_root, half_missing, one_missing, density_for_share, above_for_below, g_without_x, root_multiplied,
                 two_for_root, whole_half, tanh_square, tanh_root_missing, tanh_cube_missing, tanh_tenfold, gelu_precedence };

double tanh_inside(double x) { return std::sqrt(2 / pi) * (x + 0.044715 * x * x * x); }
double density_of(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }

Outputs gelu_with(const Probe& p, Made made) {
  return value_of_each(p, [&](double x) {
    const double below = made[without_root] ? 1 : made[root_multiplied] ? std::sqrt(0.5) : made[two_for_root] ? 2 : std::sqrt(2);
    double e = made[other] ? std::tanh(tanh_inside(x)) : std::erf(x / below);
    if (made[tanh_square]) e = std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x));
    if (made[tanh_root_missing]) e = std::tanh(2 / pi * (x + 0.044715 * x * x * x));
    if (made[tanh_cube_missing]) e = std::tanh(std::sqrt(2 / pi) * x);
    if (made[tanh_tenfold]) e = std::tanh(std::sqrt(2 / pi) * (x + 0.44715 * x * x * x));
    if (made[gelu_precedence]) return x + e / 2;
    if (made[above_for_below]) e = -e;
    double share = ((made[one_missing] ? 0 : 1) + e) / (made[half_missing] ? 1 : 2);
    if (made[quick]) share = sigmoid_of(1.702 * x);
    if (made[density_for_share]) share = density_of(x);
    if (made[whole_half]) share = 0;
    return made[g_without_x] ? share : x * share;
  });
}

enum WrongGeluGradient { d_other, d_quick, d_of_output, d_first_term, d_second_term, d_x_missing, density_without_factor,
                         density_without_root, density_without_half, chain_without_root, d_without_root, d_sign,
                         d_is_value, d_without_g, d_g_for_one_term, slope_of_erf, density_halved, as_sigmoid, exponent_positive };

Outputs gelu_gradient_with(const Probe& p, Made made) {
  return gradient_of_each(p, [&](double g, double given) {
    const double x = made[d_of_output] ? given * (1 + std::erf(given / std::sqrt(2))) / 2 : given;
    double share = (1 + std::erf(made[d_without_root] ? x : x / std::sqrt(2))) / 2;
    const double factor = made[density_without_factor] ? 1 : made[density_without_root] ? 2 * pi : std::sqrt(2 * pi);
    double slope = std::exp(-x * x / (made[density_without_half] ? 1 : 2)) / factor;
    if (made[chain_without_root]) slope *= std::sqrt(2);
    if (made[slope_of_erf]) slope *= 2 * std::sqrt(2);
    if (made[density_halved]) slope /= 2;
    if (made[as_sigmoid]) slope = share * (1 - share);
    if (made[exponent_positive]) slope = std::exp(x * x / 2) / std::sqrt(2 * pi);
    if (made[d_other]) {
      const double t = std::tanh(tanh_inside(x));
      share = (1 + t) / 2;
      slope = (1 - t * t) / 2 * std::sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x);
    }
    if (made[d_quick]) {
      share = sigmoid_of(1.702 * x);
      slope = 1.702 * share * (1 - share);
    }
    const double second = made[d_first_term] ? 0 : (made[d_x_missing] ? 1 : x) * slope;
    const double d = made[d_is_value] ? x * share : (made[d_second_term] ? 0 : share) + (made[d_sign] ? -second : second);
    if (made[d_g_for_one_term]) return share * g + d - share;
    return d * (made[d_without_g] ? 1 : g);
  });
}

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
    if (!(std::abs(a + b - 1) < 1e-9)) return fmt::format("at {:.4g} and {:.4g} they are {} and {}", x[0][j], x[1][j], beside(a, b), beside(b, a));
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

Stage leaky() {
  return {
      .function = "leaky_relu",
      .right = [](const Probe& p) { return right_value(p, nn::act::leaky_relu(p.number("slope"))); },
      .with = leaky_with,
      .mistakes =
          {
              {as_max, "act/leaky-as-max", "A slope of 1.5 and x = 1: which of x and 1.5 x is greater?",
               "max(x, slope · x), which is right for slopes up to 1 alone",
               "chainer PR3179, Paddle PR26216"},
              {slope_missing, "act/leaky-without-leak", "What comes out for x = −1?", "the slope is not used: plain ReLU"},
              {slope_above, "act/leaky-slope-above", "On which side of 0 does it leak?", "the slope is for x > 0"},
              {slope_hard_coded, "act/slope-hard-coded", "What happens when somebody asks for another slope?", "a slope of 0.01, whatever is asked for"},
              {of_size, "act/leaky-of-size", "Is y below 0 where x is?", "slope · |x| below 0"},
              {slope_alone, "act/leaky-slope-alone", "Is y the same for all x below 0?", "the slope itself below 0, without x"},
              {both_added, "act/leaky-added", "What comes out for x = 1?", "the leak is added above 0 as well"},
              {slope_divides, "act/leaky-divided", "x is −2, the slope ¼. Is y −½, or −8?", "divided by the slope below 0"},
          },
      .probes = leaky_probes(),
      .laws = {{"above 0, y is x", itself_above_0, "What does your function do to a number that is above 0?"},
               {"below 0, y is the slope times x", slope_below_0, "What happens to a number below 0, and where does the slope come in?"}},
      .hints = {"What comes out for 4, and for −4, if the slope is ¼?",
                "One loop over all numbers; the sign of x decides.",
                "Above 0 y is x itself; below it, a straight line through 0 with the slope.",
                "y = x where x > 0, slope · x elsewhere, whichever of the two is larger."},
  };
}

Stage leaky_gradient() {
  return {
      .function = "leaky_relu_gradient",
      .right = [](const Probe& p) { return right_gradient(p, nn::act::leaky_relu(p.number("slope"))); },
      .with = leaky_gradient_with,
      .mistakes =
          {
              {times_x, "act/leaky-slope-times-x", "What is the derivative of slope · x?",
               "slope · x below 0: that is the value", "Mocha.jl PR94"},
              {as_relu, "act/leaky-as-relu", "Does the gradient leak, too?", "the value leaks, the gradient does not", "FKB#15, stochman#10"},
              {g_slope_hard_coded, "act/slope-hard-coded", "What happens when somebody asks for another slope?"},
              {sides_exchanged, "act/leaky-slope-above", "On which side of 0 does it leak?"},
              {is_value, "act/gradient-is-value", "The slope of a straight line: does it change with x?", "g times y, not g times the derivative"},
              {without_g, "act/without-g", "What arrives from above?", "the derivative alone, without g"},
              {kink_one, "act/leaky-kink", "", "at x = 0 the slope from above, 1", "", true, "the slope from below"},
              {side_by_g, "act/side-by-g", "Whose sign decides: that of x, or that of g?", "g > 0 is asked, not x > 0"},
              {slope_negated, "act/leaky-slope-negated", "Does y grow with x below 0?", "minus the slope below 0"},
              {g_below_alone, "act/g-on-one-side", "What arrives from above: on which side of 0?", "g is used on one side of 0 alone"},
              {g_above_alone, "act/g-on-one-side", "What arrives from above: on which side of 0?"},
              {flat_at_0, "act/leaky-flat-at-0", "Which of your branches has x = 0?", "at x = 0 there is no slope at all, where the one from below is asked for"},
              {x_for_g, "act/leaky-x-for-g", "y = slope · x: what does a step of x do to y, and what does that do to the loss?", "slope · x below 0, where slope · g is meant"},
          },
      .probes = with_g(leaky_probes()),
      .laws = {{"above 0, dx is g", g_above_0, "How fast does y grow with x, where x is above 0?"},
               {"a gradient is what a small step of x shows", [](const Probe& p, const Outputs& outputs) {
                  return as_small_steps(p, outputs, nn::act::leaky_relu(p.number("slope")));
                }, "On which side of 0 is the slope 1, and what is it on the other?"}},
      .hints = {"x is 4, then −4, and grows by 0.1. How far does y move?",
                "The value asked for x; the gradient asks for x, too, and multiplies g.",
                "The slope of a straight line does not depend on how far along it one is. At 0 it is that from below.",
                "dx = g where x > 0, slope · g elsewhere."},
  };
}

Stage silu() {
  return {
      .function = "silu",
      .right = [](const Probe& p) { return right_value(p, nn::act::silu); },
      .with = silu_with,
      .mistakes =
          {
              {without_x, "act/silu-without-x", "What is SiLU of 30?", "the sigmoid alone"},
              {minus_x, "act/silu-of-minus", "Is SiLU of 30 large, or nearly 0?", "x σ(−x)"},
              {overflow, "act/sigmoid-overflow", "What is e^800 / (1 + e^800) for a computer?", "σ as e^x / (1 + e^x), which is ∞ / ∞ for large x"},
              {of_tanh, "act/silu-tanh", "Does the gate go from 0 to 1, or from −1 to 1?", "tanh in place of the sigmoid"},
              {silu_quick, "act/quick-gelu", "Which number is x multiplied by inside of σ?", "x σ(1.702 x), which is QuickGELU", "open_clip#771"},
              {as_relu_2, "act/silu-as-relu", "Where does the smooth curve come from?", "x times 0 or 1: that is ReLU"},
              {sigmoid_twice, "act/sigmoid-twice", "How often does σ stand in the formula?", "σ of σ"},
              {minus_below, "act/sigmoid-minus", "Is your σ between 0 and 1?", "σ as 1 / (1 − e^−x)"},
              {sigmoid_added, "act/gate-added", "The gate is shut, σ = 0. What passes?", "x + σ(x), where the product is meant"},
              {divided_first, "act/silu-precedence", "In x / 1 + e^−x, what is divided by what?", "x / 1 + e^−x: the brackets below the line are missing"},
              {of_softplus, "act/silu-softplus", "Can the gate be larger than 1?", "the gate is log(1 + e^x)"},
          },
      .probes = curve_probes(),
      .laws = {{"SiLU(x) − SiLU(−x) is x", apart_by_x, "What do the two branches, or the two signs, of your function add up to?"},
               {"far to the right y is x, and far to the left 0", like_relu_far_out, "What does your gate become far to the right, and far to the left?"}},
      .hints = {"What comes out for 30, for −30, and for 0?",
                "Each number is by itself: one loop. The gate is between 0 and 1.",
                "For large negative x it is e^−x that overflows, and x over ∞ is 0, as it should be.",
                "y = x / (1 + e^−x)."},
  };
}

Stage silu_gradient() {
  return {
      .function = "silu_gradient",
      .right = [](const Probe& p) { return right_gradient(p, nn::act::silu); },
      .with = silu_gradient_with,
      .mistakes =
          {
              {of_output, "act/derivative-of-output", "At which point is the derivative taken: at x, or at y?",
               "the derivative is taken at y, not at x",
               "neural2d#40, Neural-Network-p5#22"},
              {first_term, "act/gate-held-constant", "x is used twice. Where do both ways arrive?",
               "g times the gate: the way through the gate is missing"},
              {second_term, "act/value-held-constant", "x is used twice. Where do both ways arrive?",
               "g x times the slope of the gate: the way through the factor x is missing"},
              {x_missing, "act/silu-second-without-x", "What multiplies the gate?", "the second term lacks x"},
              {prime_without_s, "act/sigmoid-slope-without-s", "What is the slope of σ far to the left?", "σ′ = 1 − σ: a factor σ is missing"},
              {prime_of_tanh, "act/sigmoid-slope-of-tanh", "Whose slope is 1 − y²?", "σ′ = 1 − σ²"},
              {prime_of_x, "act/sigmoid-slope-of-x", "In σ′ = s (1 − s): what is s?", "σ′ = x (1 − x)", "neural2d#40"},
              {term_sign, "act/silu-gradient-sign", "Where x > 0, does a larger gate make y larger?", "the second term has the other sign"},
              {of_exponentials, "act/slope-of-exponentials", "What is e^800 / (e^800)² for a computer?",
               "σ′ as e^−x / (1 + e^−x)², which is ∞ / ∞ far to the left",
               "candle PR1722, snntorch PR433"},
              {s_is_value, "act/gradient-is-value", "What is the slope of SiLU at 0?"},
              {s_without_g, "act/without-g", "What arrives from above?"},
              {s_overflow, "act/sigmoid-overflow", "What is e^800 / (1 + e^800) for a computer?"},
              {g_for_one_term, "act/g-for-one-term", "Which terms does g multiply?", "g multiplies the first term alone"},
              {bracket_early, "act/silu-bracket", "What does σ′ multiply: x, or σ + x?", "(σ + x) σ (1 − σ): the bracket closes too early"},
              {without_one_minus, "act/sigmoid-slope-of-sigmoid", "What is the slope of σ far to the right?", "σ′ = σ: the factor 1 − σ is missing"},
              {y_in_slope, "act/silu-y-for-sigmoid", "Which of your y should be σ(x), and which x σ(x)?", "y = x σ(x) stands in the slope where σ(x) is meant"},
              {y_for_share, "act/silu-y-and-slope", "Which of the two terms has the x: that of σ, or that of its slope?", "y + σ (1 − σ), where σ + x σ (1 − σ) is meant"},
          },
      .probes = with_g(curve_probes()),
      .laws = {{"the slopes at x and at −x add up to 1", slopes_add_to_1, "Which two terms has the slope of a product, and what are they at −x?"},
               {"far to the right the slope is 1, and far to the left 0", slope_like_relu_far_out, "Which of your terms should vanish far out, and which should become 1?"},
               {"a gradient is what a small step of x shows",
                [](const Probe& p, const Outputs& outputs) { return as_small_steps(p, outputs, nn::act::silu); },
                "y is a product: which two terms has its slope?"}},
      .hints = {"What is the slope far to the right, far to the left, and at 0?",
                "s = σ(x) first, at x and not at y; then two terms.",
                "x is used twice, as a factor and in the gate: by the product rule the slope is the gate plus x times the gate's slope.",
                "dx = g (σ + x σ (1 − σ))."},
  };
}

Stage gelu() {
  return {
      .function = "gelu",
      .right = [](const Probe& p) { return right_value(p, nn::act::gelu); },
      .with = gelu_with,
      .mistakes =
          {
              {other, "act/gelu-other", "", "the one by tanh, which GPT-2 means by GELU; it differs by up to 4.7·10⁻⁴",
               "pocket-tts PR278, keras-bert#129", true},
              {quick, "act/quick-gelu", "Is the normal distribution a sigmoid?"},
              {without_root, "act/gelu-without-root", "What stands inside of erf?", "erf(x), not erf(x / √2)"},
              {half_missing, "act/gelu-without-half", "What is Φ far to the right?", "1 + erf, without the ½"},
              {one_missing, "act/gelu-without-one", "What is Φ(0)?", "½ erf, without the 1"},
              {density_for_share, "act/gelu-density", "Which share of normal numbers lies below x: is it the height of the bell?",
               "the density φ(x) in place of the share Φ(x)"},
              {above_for_below, "act/gelu-above", "Is GELU of 30 large, or nearly 0?", "the share above x, not below"},
              {g_without_x, "act/gelu-without-x", "What is GELU of 30?", "Φ(x) alone"},
              {root_multiplied, "act/gelu-root-multiplied", "What stands inside of erf?", "erf(x √2), not erf(x / √2)"},
              {two_for_root, "act/gelu-two-for-root", "What stands inside of erf?", "erf(x / 2), not erf(x / √2)"},
              {whole_half, "act/whole-half", "What is 1 / 2 in C++?", "1 / 2 of whole numbers, which is 0"},
              {tanh_square, "act/gelu-tanh-square", "The tanh stands for erf, which is odd. Is your argument odd?", "0.044715 x² inside of tanh, where x³ is meant"},
              {tanh_root_missing, "act/gelu-tanh-root", "The slope of erf(x / √2) at 0 is √(2/π). And that of your tanh?", "2/π inside of tanh, where √(2/π) is meant"},
              {tanh_cube_missing, "act/gelu-tanh-cube", "How far apart are tanh(√(2/π) x) and erf(x / √2) at x = 2?", "tanh without its cubic term"},
              {tanh_tenfold, "act/gelu-tanh-constant", "How far apart are your tanh and erf(x / √2) at x = 1?", "0.44715, where 0.044715 is meant"},
              {gelu_precedence, "act/gelu-precedence", "In x · 1 + erf / 2, what does x multiply?", "x · 1 + erf / 2: the brackets around 1 + erf are missing"},
          },
      .probes = curve_probes(),
      .laws = {{"GELU(x) − GELU(−x) is x", apart_by_x, "What do the two branches, or the two signs, of your function add up to?"},
               {"far to the right y is x, and far to the left 0", like_relu_far_out, "What does your gate become far to the right, and far to the left?"}},
      .hints = {"What share of normal numbers lies below 0, and what comes out for 1? (Φ(1) is 0.8413.)",
                "Φ first, by std::erf, in real numbers; then times x.",
                "erf counts in units of √2 deviations, and goes from −1 to 1, where Φ goes from 0 to 1.",
                "y = x (1 + erf(x / √2)) / 2."},
  };
}

Stage gelu_gradient() {
  return {
      .function = "gelu_gradient",
      .right = [](const Probe& p) { return right_gradient(p, nn::act::gelu); },
      .with = gelu_gradient_with,
      .mistakes =
          {
              {d_other, "act/gelu-other", "", "", "", true},
              {d_quick, "act/quick-gelu", "Is the normal distribution a sigmoid?"},
              {d_of_output, "act/derivative-of-output", "At which point is the derivative taken: at x, or at y?"},
              {d_first_term, "act/gate-held-constant", "x is used twice. Where do both ways arrive?"},
              {d_second_term, "act/value-held-constant", "x is used twice. Where do both ways arrive?"},
              {d_x_missing, "act/gelu-second-without-x", "What multiplies the gate?", "Φ + φ: the second term lacks x"},
              {density_without_factor, "act/density-without-factor", "φ(0) is 0.399. What is yours?", "the density without 1/√(2π)"},
              {density_without_root, "act/density-without-root", "φ(0) is 0.399. What is yours?", "1/(2π) in place of 1/√(2π)"},
              {density_without_half, "act/density-without-half", "φ(1) is 0.242. What is yours?", "e^(−x²), not e^(−x²/2)"},
              {chain_without_root, "act/gelu-inner-derivative", "erf is taken of x/√2. What does the chain rule add? (φ(0) is 0.399.)",
               "the 1/√2 of the chain rule, or the 2 in √(2π), is missing"},
              {d_without_root, "act/gelu-without-root", "What stands inside of erf?"},
              {d_sign, "act/gelu-gradient-sign", "Where x > 0, does a larger Φ make y larger?", "Φ − x φ"},
              {d_is_value, "act/gradient-is-value", "What is the slope of GELU at 0?"},
              {d_without_g, "act/without-g", "What arrives from above?"},
              {d_g_for_one_term, "act/g-for-one-term", "Which terms does g multiply?"},
              {slope_of_erf, "act/density-of-erf", "Φ is ½ (1 + erf(x / √2)). What do the ½ and the 1/√2 make of the slope of erf?", "the slope of erf, 2/√π e^…, without the ½ and the 1/√2 of Φ"},
              {density_halved, "act/density-halved", "φ(0) is 0.399. What is yours?", "half the density"},
              {as_sigmoid, "act/gelu-sigmoid-slope", "Whose slope is s (1 − s)? Is Φ a sigmoid?", "the slope of Φ as Φ (1 − Φ)"},
              {exponent_positive, "act/density-exponent", "φ(1) is 0.242. What is yours?", "e^(+x²/2): the density grows far out"},
          },
      .probes = with_g(curve_probes()),
      .laws = {{"the slopes at x and at −x add up to 1", slopes_add_to_1, "Which two terms has the slope of a product, and what are they at −x?"},
               {"far to the right the slope is 1, and far to the left 0", slope_like_relu_far_out, "Which of your terms should vanish far out, and which should become 1?"},
               {"a gradient is what a small step of x shows",
                [](const Probe& p, const Outputs& outputs) { return as_small_steps(p, outputs, nn::act::gelu); },
                "y is a product: which two terms has its slope?"}},
      .hints = {"What is the slope far to the right, far to the left, and at 0?",
                "Φ and its slope φ, both at x; then two terms.",
                "As for SiLU: the gate, plus x times the gate's slope. The slope of a share is the density there.",
                "dx = g (Φ + x φ), with φ = e^(−x²/2) / √(2π)."},
  };
}

Function value_of(CurveValue f) {
  return [=](const Probe& p) {
    Sheet y("y", p["x"].shape);
    f(p.in("x"), y.out());
    return Outputs{y.array()};
  };
}

Function gradient_of(CurveGradient f) {
  return [=](const Probe& p) {
    Sheet dx("dx", p["x"].shape);
    f(p.in("g"), p.in("x"), dx.out());
    return Outputs{dx.array()};
  };
}

}  // namespace
}  // namespace in_activations

Functions activations(LeakyValue leaky_relu, LeakyGradient leaky_relu_gradient, CurveValue silu, CurveGradient silu_gradient,
                      CurveValue gelu, CurveGradient gelu_gradient) {
  using namespace in_activations;
  return {[=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            leaky_relu(p.in("x"), p.number("slope"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet dx("dx", p["x"].shape);
            leaky_relu_gradient(p.in("g"), p.in("x"), p.number("slope"), dx.out());
            return Outputs{dx.array()};
          },
          value_of(silu), gradient_of(silu_gradient), value_of(gelu), gradient_of(gelu_gradient)};
}

Exercise activations_exercise() {
  return {
      .number = 8,
      .id = "activations",
      .title = "Leaky ReLU, SiLU, GELU and their slopes",
      .section = "ch02-smooth.md#act-silu",
      .needs = {},
      .minutes = 30,
      .done = "x is used twice, as what passes and as what opens the gate: two ways, two terms.",
      .stages = {in_activations::leaky(), in_activations::leaky_gradient(), in_activations::silu(), in_activations::silu_gradient(),
                 in_activations::gelu(), in_activations::gelu_gradient()},
      .choices = {{{"gelu", "gelu_gradient"}, {{"", "is made of erf"}, {"act/gelu-other", "is made of tanh"}}}},
      .also = {"ch02.md#act-leaky-relu", "ch02-smooth.md#act-gelu"},
  };
}

}  // namespace gradus::exercises::set
