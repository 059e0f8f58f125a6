#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/adamw.h"
#include "optim/adam.h"
#include "optim/nesterov.h"

namespace gradus::exercises::set {
namespace in_adamw {
namespace {

// The gradients of a probe are those of one step or more, below each other.
int steps_of(const Probe& p) { return rows_of(p["g"]) / rows_of(p["theta"]); }

In gradient(const Probe& p, int step) {
  const In g = p.in("g");
  const int rows = rows_of(p["theta"]);
  return {rows, g.columns, g[step * rows]};
}

Tensor gradient_tensor(const Probe& p, int step) {
  const In g = gradient(p, step);
  return from_vector(std::vector<double>(g[0], g[g.rows]), {g.rows, g.columns});
}

double g_at(const Probe& p, int step, std::size_t i) { return gradient(p, step).numbers[i]; }

// What is remembered: before the first step, zeros.
Array memory(const std::string& name, int rows, int n, double size, std::uint64_t seed) {
  if (size == 0) return array(name, {rows, n}, std::vector<double>(static_cast<std::size_t>(rows * n)));
  return drawn(name, {rows, n}, seed, size);
}

Outputs nesterov_right(const Probe& p) {
  const Tensor theta = tensor_of(p["theta"]).set_requires_grad();
  optim::Nesterov optimizer(NamedTensors{{"theta", theta}}, {.lr = p.number("lr"), .momentum = p.number("mu")});
  optimizer.load_state({{"velocity/theta", tensor_of(p["u"])}}, 0);
  for (int step = 0; step < steps_of(p); ++step) {
    theta.set_grad(gradient_tensor(p, step));
    optimizer.step();
  }
  return {array_of("theta", theta), array_of("u", optimizer.state()[0].tensor)};
}

Probe nesterov_probe(const std::string& name, int rows, int n, int steps, double lr, double mu, bool from_rest, std::uint64_t seed) {
  return {name,
          {drawn("g", {steps * rows, n}, seed), drawn("theta", {rows, n}, seed + 1, 1, 0.5),
           memory("u", rows, n, from_rest ? 0 : 2, seed + 2), number("lr", lr), number("mu", mu)}};
}

std::string is_descent_without_mu(const Probe& p, const Outputs& outputs) {
  if (p.number("mu") != 0) return "";
  for (std::size_t i = 0; i < p["g"].numbers.size(); ++i) {
    const double expected = p["theta"].numbers[i] - p.number("lr") * p["g"].numbers[i];
    if (std::abs(outputs[0].numbers[i] - expected) > 1e-9) {
      return fmt::format("number {} of theta becomes {}, not {}", i, beside(outputs[0].numbers[i], expected),
                         beside(expected, outputs[0].numbers[i]));
    }
  }
  return "";
}

struct Options { double lr, decay, beta1, beta2, eps; };
Options options_of(const Probe& p) {
  const In rates = p.in("lr, decay"), betas = p.in("betas");
  return {rates[0][0], rates[0][1], betas[0][0], betas[0][1], p.number("eps")};
}

Outputs adamw_right(const Probe& p) {
  const Options o = options_of(p);
  const Tensor theta = tensor_of(p["theta"]).set_requires_grad();
  const bool is_matrix = rows_of(p["theta"]) > 1;
  const optim::ParameterGroups groups = {optim::ParameterGroup{{{"theta", theta}}, is_matrix ? o.decay : 0}};
  optim::AdamW optimizer(groups, {.lr = o.lr, .beta1 = o.beta1, .beta2 = o.beta2, .eps = std::max(o.eps, 1e-300)});
  optimizer.load_state({{"first/theta", tensor_of(p["m"])}, {"second/theta", tensor_of(p["v"])}}, p.whole("t") - 1);
  for (int step = 0; step < steps_of(p); ++step) {
    theta.set_grad(gradient_tensor(p, step));
    optimizer.step();
  }
  return {array_of("theta", theta), array_of("m", optimizer.state()[0].tensor), array_of("v", optimizer.state()[1].tensor)};
}

struct Sizes { int rows, n, steps; };
Probe adamw_probe(const std::string& name, Sizes sizes, int t, const Options& o, double size, std::uint64_t seed) {
  const auto [rows, n, steps] = sizes;
  const double kept = t == 1 ? 0 : size;  // before the first step nothing is remembered
  Array v = memory("v", rows, n, kept, seed + 3);
  for (double& one : v.numbers) one *= one;
  return {name,
          {drawn("g", {steps * rows, n}, seed, size), drawn("theta", {rows, n}, seed + 1, 1, 0.5), memory("m", rows, n, kept, seed + 2), v,
           number("t", t), array("lr, decay", {1, 2}, {o.lr, o.decay}), array("betas", {1, 2}, {o.beta1, o.beta2}), number("eps", o.eps)}};
}

// Does each number of outputs[array] lie between what it was and what `of` makes of the gradients?
template <typename Of> std::string between(const Probe& p, const Array& after, const Of& of) {
  for (std::size_t i = 0; i < after.numbers.size(); ++i) {
    double least = p[after.name].numbers[i], most = least;
    for (int step = 0; step < steps_of(p); ++step) {
      least = std::min(least, of(g_at(p, step, i)));
      most = std::max(most, of(g_at(p, step, i)));
    }
    const double value = after.numbers[i], slack = 1e-9 * (most - least);
    if (value < least - slack || value > most + slack) {
      return fmt::format("number {} is {}, not between {} and {}", i, beside(value, value < least ? least : most), beside(least, value),
                         beside(most, value));
    }
  }
  return "";
}

std::string m_is_a_mean(const Probe& p, const Outputs& outputs) {
  return between(p, outputs[1], [](double g) { return g; });
}
std::string v_is_a_mean(const Probe& p, const Outputs& outputs) {
  return between(p, outputs[2], [](double g) { return g * g; });
}

std::string first_step_is_lr_long(const Probe& p, const Outputs& outputs) {
  if (p.whole("t") != 1 || steps_of(p) != 1 || rows_of(p["theta"]) > 1) return "";
  const Options o = options_of(p);
  for (std::size_t i = 0; i < outputs[0].numbers.size(); ++i) {
    const double g = p["g"].numbers[i], expected = -o.lr * g / (std::abs(g) + o.eps);
    const double way = outputs[0].numbers[i] - p["theta"].numbers[i];
    if (std::abs(way - expected) > 1e-6 * o.lr)
      return fmt::format("number {} goes {}, not {}", i, beside(way, expected), beside(expected, way));
  }
  return "";
}

// Is θ that of these memories, where there is one step? After several, one cannot see.
template <typename Step> bool theta_follows(const Probe& p, const Outputs& outputs, const Step& step) {
  if (steps_of(p) > 1) return true;
  for (std::size_t i = 0; i < outputs[0].numbers.size(); ++i) {
    const double before = p["theta"].numbers[i], after = step(i, before);
    if (!close(outputs[0].numbers[i], after, largest(outputs[0]))) return false;
  }
  return true;
}

bool follows_from_u(const Probe& p, const Outputs& outputs) {
  return theta_follows(p, outputs, [&](std::size_t i, double theta) {
    return theta - p.number("lr") * (g_at(p, 0, i) + p.number("mu") * outputs[1].numbers[i]);
  });
}

bool follows_from_memory(const Probe& p, const Outputs& outputs) {
  const Options o = options_of(p);
  const double decay = rows_of(p["theta"]) > 1 ? o.decay : 0, t = p.number("t");
  return theta_follows(p, outputs, [&](std::size_t i, double theta) {
    const double m_hat = outputs[1].numbers[i] / (1 - std::pow(o.beta1, t)), v_hat = outputs[2].numbers[i] / (1 - std::pow(o.beta2, t));
    return theta - o.lr * decay * theta - o.lr * m_hat / (std::sqrt(v_hat) + o.eps);
  });
}

bool memory_is_right(const Function& right, const Probe& p, const Outputs& outputs) {
  const Outputs all = right(p);
  return std::equal(outputs.begin() + 1, outputs.end(), all.begin() + 1, [](const Array& a, const Array& b) { return equal(a, b); });
}

}  // namespace
}  // namespace in_adamw

Functions adamw(void (*nesterov_step)(In, double, double, Out, Out),
                void (*adamw_step)(In, int, double, double, double, double, double, Out, Out, Out)) {
  using namespace in_adamw;
  return {[=](const Probe& p) {
            Sheet theta(p["theta"]), u(p["u"]);
            for (int step = 0; step < steps_of(p); ++step) {
              nesterov_step(gradient(p, step), p.number("lr"), p.number("mu"), theta.out(), u.out());
            }
            return Outputs{theta.array(), u.array()};
          },
          [=](const Probe& p) {
            Sheet theta(p["theta"]), m(p["m"]), v(p["v"]);
            const Options o = options_of(p);
            for (int step = 0; step < steps_of(p); ++step) {
              adamw_step(gradient(p, step), p.whole("t") + step, o.lr, o.beta1, o.beta2, o.eps, o.decay, theta.out(), m.out(), v.out());
            }
            return Outputs{theta.array(), m.array(), v.array()};
          }};
}

Exercise adamw_exercise() {
  using namespace in_adamw;
  return made_adamw::exercise({
      {
          .right = nesterov_right,
          .probes = {nesterov_probe("one row of 3, from rest", 1, 3, 1, 0.1, 0.9, true, 231),
                     nesterov_probe("a matrix of 2 × 4 that moves already", 2, 4, 1, 0.5, 0.7, false, 232),
                     nesterov_probe("a matrix of 3 × 5, μ = 0", 3, 5, 1, 0.2, 0, false, 233),
                     nesterov_probe("five steps of a matrix of 2 × 3", 2, 3, 5, 0.1, 0.8, false, 234)},
          .laws = {{"with μ = 0 a step is gradient descent, θ − lr g", is_descent_without_mu,
                    "Which terms of your step have the factor μ?"}},
          .pieces =
              {{"theta", [](const Probe& p, const Outputs& outputs) { return memory_is_right(nesterov_right, p, outputs); },
                "u is right, so only the line that writes theta is left. lr = 0.1, μ = 0.9, g = 2 and a new u of 3: how far should theta "
                "go? And yours?"},
               {"u, and theta is right for it", follows_from_u, "μ = 0.9, an old u of 3 and g = 2: what is the new u? And yours?"}},
      },
      {
          .right = adamw_right,
          .probes = {adamw_probe("the first step of a gain", {1, 3, 1}, 1, {0.1, 0.1, 0.9, 0.99, 1e-2}, 1, 241),
                     adamw_probe("the fourth step of a matrix of 2 × 3", {2, 3, 1}, 4, {0.1, 0.1, 0.9, 0.98, 1e-2}, 1, 242),
                     adamw_probe("the seventh step of a bias, λ = 0.5", {1, 5, 1}, 7, {0.05, 0.5, 0.8, 0.95, 1e-2}, 1, 243),
                     adamw_probe("the first five steps of a matrix of 3 × 4", {3, 4, 5}, 1, {0.1, 0.1, 0.7, 0.9, 1e-2}, 1, 244),
                     adamw_probe("step 1000 of a matrix of 5 × 1, gradients of size 10⁻³, ε = 10⁻⁸", {5, 1, 1}, 1000,
                                 {0.01, 0.1, 0.9, 0.999, 1e-8}, 1e-3, 245)},
          .laws = {{"m is a mean of the gradients, so it lies between the old m and g", m_is_a_mean,
                    "Do the weights of the old m and of g sum to 1?"},
                   {"v is a mean of the squares, so it lies between the old v and g²", v_is_a_mean,
                    "Do the weights of the old v and of g² sum to 1, and is it g² that is averaged?"},
                   {"the first step is nearly lr long, whatever the size of g", first_step_is_lr_long,
                    "t = 1, g = 2, β₁ = 0.9, β₂ = 0.99: what are m, m̂, v and √v̂? And yours?"}},
          .pieces =
              {{"theta", [](const Probe& p, const Outputs& outputs) { return memory_is_right(adamw_right, p, outputs); },
                "m and v are right, so only the lines that write theta are left. t = 1, g = 2, β₁ = 0.9, β₂ = 0.99: what are m̂ and √v̂? "
                "And yours?"},
               {"m and v, and theta is right for them", follows_from_memory,
                "g = 2, β₁ = 0.9, β₂ = 0.99, old m = 1 and v = 1: what are the new m and v? And yours?"}},
      },
  });
}

}  // namespace gradus::exercises::set
