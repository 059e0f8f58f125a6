#include "examples/exercises/set/adamw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
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

// Each number of all arrays, in each step: f(step, i), i counting through one array.
template <typename F> void for_each_number(const Probe& p, const F& f) {
  for (int step = 0; step < steps_of(p); ++step) {
    for (std::size_t i = 0; i < p["theta"].numbers.size(); ++i) f(step, i);
  }
}

double g_at(const Probe& p, int step, std::size_t i) { return gradient(p, step).numbers[i]; }

// What is remembered: before the first step, zeros.
Array memory(const std::string& name, int rows, int n, double size, std::uint64_t seed) {
  if (size == 0) return array(name, {rows, n}, std::vector<double>(static_cast<std::size_t>(rows * n)));
  return drawn(name, {rows, n}, seed, size);
}

// --- nesterov ------------------------------------------------------------------------------------------------------

enum WrongNesterov { not_ahead, ahead_by_minus, mu_missing, averaged, lr_in_velocity, velocity_lost, velocity_unstored,
                     nesterov_uphill, undamped, lr_twice, new_damped, step_for_velocity, lr_on_g_alone, mu_on_both, mu_exchanged,
                     u_subtracted, g_alone };

Outputs nesterov_with(const Probe& p, Made made) {
  Array theta = p["theta"], u = p["u"];
  const double lr = p.number("lr"), mu = p.number("mu");
  for_each_number(p, [&](int step, std::size_t i) {
    const bool scaled = made[lr_in_velocity] || made[step_for_velocity];
    const double g = g_at(p, step, i), push = (made[step_for_velocity] ? -lr : made[lr_in_velocity] || made[lr_twice] ? lr : 1) * g;
    const double before = made[velocity_lost] ? 0 : u.numbers[i];
    const double kept = made[undamped] ? 1 : made[mu_exchanged] ? 1 - mu : mu;
    const double added = made[averaged] ? 1 - mu : made[new_damped] || made[mu_exchanged] ? mu : 1;
    const double after = kept * before + (made[u_subtracted] ? -added : added) * push;
    const double ahead = made[g_alone] ? 0 : (made[mu_missing] ? 1 : mu) * after;
    double way = made[not_ahead] ? after : made[ahead_by_minus] ? push - ahead : (made[mu_on_both] ? mu : 1) * (made[lr_twice] ? g : push) + ahead;
    if (!scaled) way *= lr;
    if (made[lr_on_g_alone]) way = lr * push + ahead;
    if (made[step_for_velocity]) way = -way;
    theta.numbers[i] += made[nesterov_uphill] ? way : -way;
    if (!made[velocity_unstored]) u.numbers[i] = after;
  });
  return {theta, u};
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
  return {name, {drawn("g", {steps * rows, n}, seed), drawn("theta", {rows, n}, seed + 1, 1, 0.5),
                 memory("u", rows, n, from_rest ? 0 : 2, seed + 2), number("lr", lr), number("mu", mu)}};
}

std::string is_descent_without_mu(const Probe& p, const Outputs& outputs) {
  if (p.number("mu") != 0) return "";
  for (std::size_t i = 0; i < p["g"].numbers.size(); ++i) {
    const double expected = p["theta"].numbers[i] - p.number("lr") * p["g"].numbers[i];
    if (std::abs(outputs[0].numbers[i] - expected) > 1e-9) {
      return fmt::format("number {} of theta becomes {}, not {}", i, beside(outputs[0].numbers[i], expected), beside(expected, outputs[0].numbers[i]));
    }
  }
  return "";
}

// --- adamw ---------------------------------------------------------------------------------------------------------

enum Wrong { without_t, multiplied, correction_missing, v_uncorrected, correction_kept, eps_early, eps_inside, root_missing,
             one_beta, betas_reversed, beta_of_new, state_lost, state_unstored, coupled, decay_missing,
             decay_without_theta, decay_without_lr, decay_after, gains_decay, uphill, m_uncorrected, step_late, step_early, beta1_in_v_hat,
             beta2_in_m_hat, decay_upwards, m_hat_kept, v_hat_kept, gains_alone, betas_exchanged, eps_behind_fraction, eps_behind_step,
             v_of_m, correction_of_share, corrected_twice, power_of_difference, m_summed, v_summed, v_unsquared, state_of_before,
             gradient_for_mean, decay_in_fraction, lr_missing, eps_greatest, v_of_size };

struct Options {
  double lr, decay, beta1, beta2, eps;
};
Options options_of(const Probe& p) {
  const In rates = p.in("lr, decay"), betas = p.in("betas");
  return {rates[0][0], rates[0][1], betas[0][0], betas[0][1], p.number("eps")};
}

// 1 − βᵗ, or what is taken for it.
double left_of(double beta, double t, Made made) {
  const double power = made[without_t] ? 1 : t + (made[step_late] ? 1 : 0) - (made[step_early] ? 1 : 0);
  if (made[power_of_difference]) return std::pow(1 - beta, power);
  const double left = 1 - std::pow(made[correction_of_share] ? 1 - beta : beta, power);
  if (made[correction_missing]) return 1;
  return made[multiplied] ? 1 / left : made[corrected_twice] ? left * left : left;
}

// What m̂ is divided by, lr and ε with it.
double way_of(const Options& o, double m_hat, double v, double left, Made made) {
  const auto root = [&](double x) { return made[root_missing] ? x : std::sqrt(x); };
  if (made[eps_behind_step]) return o.lr * m_hat / root(v / left) + o.eps;
  const double lr = made[lr_missing] ? 1 : o.lr;
  if (made[eps_behind_fraction]) return lr * (m_hat / root(v / left) + o.eps);
  if (made[eps_early]) return lr * m_hat / ((root(v) + o.eps) / root(left));
  if (made[eps_greatest]) return lr * m_hat / std::max(root(v / left), o.eps);
  return lr * m_hat / (made[eps_inside] ? root(v / left + o.eps) : root(v / left) + o.eps);
}

// One number in step t; `decay` is 0 where there is none.
void step_with(Made made, const Options& o, double decay, double t, double g, double& theta, double& m, double& v) {
  const double first = made[betas_exchanged] ? o.beta2 : o.beta1, second = made[betas_exchanged] ? o.beta1 : o.beta2;
  const double beta1 = made[beta_of_new] ? 1 - first : first;
  const double beta2 = made[one_beta] ? beta1 : made[beta_of_new] ? 1 - second : second;
  const double pull = decay * (made[decay_without_theta] ? 1 : theta);
  if (made[coupled]) g += pull;
  const double keep1 = made[betas_reversed] ? 1 - beta1 : beta1, keep2 = made[betas_reversed] ? 1 - beta2 : beta2;
  const double old_m = made[state_lost] ? 0 : m, old_v = made[state_lost] ? 0 : v;
  const double new_m = keep1 * old_m + (made[m_summed] ? 1 : 1 - keep1) * g;
  const double of_v = made[v_of_m] ? new_m * new_m : made[v_unsquared] ? g : made[v_of_size] ? std::abs(g) : g * g;
  const double new_v = keep2 * old_v + (made[v_summed] ? 1 : 1 - keep2) * of_v;
  const double left1 = made[m_uncorrected] ? 1 : left_of(made[beta2_in_m_hat] ? beta2 : beta1, t, made);
  const double left2 = made[v_uncorrected] ? 1 : left_of(made[beta1_in_v_hat] ? beta1 : beta2, t, made);
  const double m_hat = made[gradient_for_mean] ? g : (made[state_of_before] ? old_m : new_m) / left1;
  const double way = way_of(o, m_hat + (made[decay_in_fraction] ? pull : 0), made[state_of_before] ? old_v : new_v, left2, made);
  const double rate = (made[decay_without_lr] ? 1 : o.lr) * (made[decay_upwards] ? -1 : 1);
  const double moved = made[uphill] ? theta + way : theta - way;
  const double late = decay * (made[decay_without_theta] ? 1 : moved);
  theta = moved - (made[coupled] || made[decay_in_fraction] ? 0 : rate * (made[decay_after] ? late : pull));
  if (made[state_unstored]) return;
  m = made[correction_kept] || made[m_hat_kept] ? new_m / left1 : new_m;
  v = made[correction_kept] || made[v_hat_kept] ? new_v / left2 : new_v;
}

Outputs adamw_with(const Probe& p, Made made) {
  Array theta = p["theta"], m = p["m"], v = p["v"];
  const Options o = options_of(p);
  const bool decays = ((rows_of(theta) > 1) != made[gains_alone] || made[gains_decay]) && !made[decay_missing];
  const double decay = decays ? o.decay : 0;
  for_each_number(p, [&](int step, std::size_t i) {
    step_with(made, o, decay, p.number("t") + step, g_at(p, step, i), theta.numbers[i], m.numbers[i], v.numbers[i]);
  });
  return {theta, m, v};
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

struct Sizes {
  int rows, n, steps;
};
Probe adamw_probe(const std::string& name, Sizes sizes, int t, const Options& o, double size, std::uint64_t seed) {
  const auto [rows, n, steps] = sizes;
  const double kept = t == 1 ? 0 : size;  // before the first step nothing is remembered
  Array v = memory("v", rows, n, kept, seed + 3);
  for (double& one : v.numbers) one *= one;
  return {name, {drawn("g", {steps * rows, n}, seed, size), drawn("theta", {rows, n}, seed + 1, 1, 0.5),
                 memory("m", rows, n, kept, seed + 2), v, number("t", t), array("lr, decay", {1, 2}, {o.lr, o.decay}),
                 array("betas", {1, 2}, {o.beta1, o.beta2}), number("eps", o.eps)}};
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
      return fmt::format("number {} is {}, not between {} and {}", i, beside(value, value < least ? least : most), beside(least, value), beside(most, value));
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
    if (std::abs(way - expected) > 1e-6 * o.lr) return fmt::format("number {} goes {}, not {}", i, beside(way, expected), beside(expected, way));
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
    return theta - o.lr * decay * theta - way_of(o, outputs[1].numbers[i] / left_of(o.beta1, t, {}), outputs[2].numbers[i], left_of(o.beta2, t, {}), {});
  });
}

bool memory_is_right(const Function& right, const Probe& p, const Outputs& outputs) {
  const Outputs all = right(p);
  return std::equal(outputs.begin() + 1, outputs.end(), all.begin() + 1, [](const Array& a, const Array& b) { return equal(a, b); });
}

Stage nesterov_stage() {
  return {
      .function = "nesterov",
      .right = nesterov_right,
      .with = nesterov_with,
      .mistakes =
          {
              {not_ahead, "nesterov/not-ahead", "By what does θ move: by the new u, or by g + μ u, a step further on?", "θ moves by lr u alone, as with plain momentum (g + μ u with the old u is the same)"},
              {ahead_by_minus, "nesterov/sign", "Do the gradient and the velocity push the same way?", "the velocity's part of the step has the other sign", "PaddlePaddle/Paddle PR12231"},
              {mu_missing, "nesterov/mu-missing", "How much of the velocity is one step ahead?", "θ moves by g + u, without the μ before u"},
              {averaged, "momentum/averaged", "After many steps of gradient 1: how large is your u, and how large is it by the formula?", "u ← μ u + (1 − μ) g: a mean of the gradients, not their sum"},
              {lr_in_velocity, "momentum/lr-in-velocity", "", "u holds lr g in place of g; the same steps, as long as lr stays", "Sutskever et al.", true},
              {velocity_lost, "momentum/velocity-lost", "What did u hold before this step?", "u begins at 0 in every step"},
              {velocity_unstored, "momentum/velocity-not-stored", "What will the next step find in u?", "the new u is used, and not stored"},
              {nesterov_uphill, "optim/uphill", "Does the loss fall along g, or against it?", "θ moves along the gradient, not against it"},
              {undamped, "momentum/undamped", "If the gradient is 0 from now on, does the ball come to rest?", "u ← u + g, without μ: the velocity never fades"},
              {lr_twice, "momentum/lr-twice", "How often does the rate multiply g on its way into θ?", "u holds lr g, and the step is multiplied by lr again"},
              {new_damped, "momentum/new-damped", "Does μ damp the old velocity, or also what is new?", "u ← μ (u + g): the new gradient is damped, too"},
              {step_for_velocity, "momentum/step-for-velocity", "", "u holds the step itself, −lr g, and θ ← θ + μ u − lr g; the same steps, as long as lr stays", "Keras", true},
              {lr_on_g_alone, "nesterov/velocity-without-lr", "With a rate of 0, should θ still move?", "θ moves by lr g + μ u: the velocity is not multiplied by the rate"},
              {mu_on_both, "nesterov/mu-on-gradient", "With μ = 0, does θ still move?", "θ moves by lr μ (g + u): the gradient is damped, too"},
              {mu_exchanged, "momentum/mu-exchanged", "With μ = 0.9, how much of the old u stays?", "u ← (1 − μ) u + μ g"},
              {u_subtracted, "momentum/gradient-subtracted", "If every gradient is 1, is u above or below 0?", "u ← μ u − g, and θ is moved as if u were a sum of gradients"},
              {g_alone, "nesterov/velocity-unused", "Does what u remembers move θ?", "θ moves by lr g alone: u is kept, and not used"},
          },
      .probes = {nesterov_probe("one row of 3, from rest", 1, 3, 1, 0.1, 0.9, true, 231),
                 nesterov_probe("a matrix of 2 × 4 that moves already", 2, 4, 1, 0.5, 0.7, false, 232),
                 nesterov_probe("a matrix of 3 × 5, μ = 0", 3, 5, 1, 0.2, 0, false, 233),
                 nesterov_probe("five steps of a matrix of 2 × 3", 2, 3, 5, 0.1, 0.8, false, 234)},
      .laws = {{"with μ = 0 a step is gradient descent, θ − lr g", is_descent_without_mu, "Which terms of your step have the factor μ?"}},
      .pieces = {{"theta", [](const Probe& p, const Outputs& outputs) { return memory_is_right(nesterov_right, p, outputs); },
                  "u is right, so only the line that writes theta is left. lr = 0.1, μ = 0.9, g = 2 and a new u of 3: how far should theta go? And yours?"},
                 {"u, and theta is right for it", follows_from_u, "μ = 0.9, an old u of 3 and g = 2: what is the new u? And yours?"}},
      .hints = {"The gradient is 0 from now on. What becomes of u, and does θ still move?",
                "Each number of θ is on its own. First the new u, which is stored, and then θ, by the new u.",
                "With μ = 0 this is gradient descent. If every gradient is 1, u grows towards 1 / (1 − μ).",
                "u becomes μ times the old u plus g. θ loses lr times (g plus μ times the new u)."},
  };
}

std::vector<Mistake> adamw_mistakes() {
  return {
      {without_t, "adam/correction-without-t", "How much of m is still missing after ten steps?"},
      {multiplied, "adam/correction-multiplied", "m is too small at first. Does your correction make it larger?"},
      {correction_missing, "adam/correction-missing", "m began at 0. How large is it after one step, if the gradient is 1?", "m and v are used as they are, without the correction"},
      {v_uncorrected, "adam/v-uncorrected", "Which of the two means began at 0?", "only m is corrected, v is not"},
      {correction_kept, "adam/correction-kept", "What will the next step find in m and v?", "the corrected values are stored in m and v, to be corrected again"},
      {eps_early, "adam/eps-before-correction", "Is ε added before the correction, or after it?", "", "", true},
      {eps_inside, "adam/eps-inside-root", "Where does ε stand: below the root, or beside it?", "√(v̂ + ε) in place of √v̂ + ε"},
      {root_missing, "adam/root-missing", "If all gradients are twice as large: how does your step change?", "divided by v̂, not by its root"},
      {one_beta, "adam/one-beta", "How many β are there?", "β₁ is used for v as well"},
      {betas_reversed, "adam/betas-reversed", "β₁ = 0.9: how much of the old m stays?", "m ← (1 − β) m + β g", "mila-iqia/blocks#1159, PR1176"},
      {beta_of_new, "adam/beta-of-new", "", "β is the share of the new gradient, everywhere", "the Adam paper's first version", true},
      {state_lost, "resume/state-lost", "What did m and v hold before this step?", "m and v begin at 0 in every step; so they do after a resume that does not load them", "OpenNMT-py#617, KempnerForge#114"},
      {state_unstored, "adam/state-not-stored", "What will the next step find in m and v?", "the new m and v are used, and not stored"},
      {coupled, "adamw/coupled", "Does λ θ pass through m and v?"},
      {decay_missing, "adamw/decay-missing", "What does λ do to a weight whose gradient is 0?", "nothing decays"},
      {decay_without_theta, "adamw/decay-without-theta", "Should a large weight shrink more than a small one?", "λ is subtracted, not λ θ", "torchopt PR14"},
      {decay_without_lr, "adamw/decay-without-lr", "With a rate of 0, should θ still shrink?", "θ shrinks by λ θ, without the rate", "tensorflow/addons#2282"},
      {decay_after, "adamw/decay-after-step", "Which θ decays: that from before the step, or the moved one?", "the decay is of the θ that has already moved", "bitsandbytes#2010, cs336 assignment1#54"},
      {gains_decay, "optim/decays-gains", "Which parameters should be drawn to 0, and which should not?", "gains and biases decay, too", "lit-llama#254, Fast-LLM PR545, keras-bert#60"},
      {uphill, "optim/uphill", "Does the loss fall along g, or against it?", "θ moves along the gradient, not against it"},
      {m_uncorrected, "adam/m-uncorrected", "Which of the two means began at 0?", "only v is corrected, m is not"},
      {step_late, "adam/correction-a-step-late", "What is t in the first step?", "1 − βᵗ⁺¹: the corrections are those of the next step"},
      {step_early, "adam/correction-a-step-early", "What is t in the first step, and what is then 1 − βᵗ⁻¹?", "1 − βᵗ⁻¹: the corrections are those of the step before"},
      {beta1_in_v_hat, "adam/first-beta-in-v-hat", "Which β says how much of v is still missing?", "v is corrected by 1 − β₁ᵗ"},
      {beta2_in_m_hat, "adam/second-beta-in-m-hat", "Which β says how much of m is still missing?", "m is corrected by 1 − β₂ᵗ"},
      {decay_upwards, "adamw/decay-upwards", "Does a weight whose gradient is 0 come nearer to 0?", "θ + lr λ θ: θ grows where it should shrink"},
      {m_hat_kept, "adam/m-hat-kept", "What will the next step find in m?", "m̂ is stored in m, to be corrected again"},
      {v_hat_kept, "adam/v-hat-kept", "What will the next step find in v?", "v̂ is stored in v, to be corrected again"},
      {gains_alone, "optim/gains-decay-alone", "Which parameters should be drawn to 0, and which should not?", "gains and biases decay, matrices do not: the condition is the other way round"},
      {betas_exchanged, "adam/betas-exchanged", "β₁ = 0.9 and β₂ = 0.99: how much of a new gradient goes into m?", "β₁ and β₂ are exchanged: m has β₂, and v has β₁"},
      {eps_behind_fraction, "adam/eps-behind-fraction", "Which comes first in C++, / or +? What is divided by ε?", "m̂ / √v̂ + ε, where m̂ / (√v̂ + ε) is meant"},
      {eps_behind_step, "adam/eps-behind-fraction", "Which comes first in C++, / or +? What is divided by ε?"},
      {v_of_m, "adam/v-of-mean", "Whose square does v average: that of g, or that of m?", "v is the mean of m², not of g²"},
      {correction_of_share, "adam/correction-of-new-share", "After t steps, which share of the zeros that m began with is left: β₁ᵗ, or (1 − β₁)ᵗ?", "1 − (1 − β)ᵗ, where 1 − βᵗ is meant: β is taken for the share of the new gradient", "arctic-captions#36"},
      {corrected_twice, "adam/corrected-twice", "How often do you divide by 1 − βᵗ?", "m and v are corrected twice", "PennyLane#1928"},
      {power_of_difference, "adam/power-of-difference", "What is 1 − βᵗ for β = 0.9 and t = 2, and what is (1 − β)ᵗ?", "(1 − β)ᵗ, where 1 − βᵗ is meant"},
      {m_summed, "adam/m-summed", "Every gradient is 1: how large is m after many steps?", "m ← β₁ m + g, without 1 − β₁"},
      {v_summed, "adam/v-summed", "Every gradient is 1: how large is v after many steps?", "v ← β₂ v + g², without 1 − β₂"},
      {v_unsquared, "adam/v-unsquared", "g is −2: what goes into v?", "v is the mean of g, not of g²"},
      {state_of_before, "adam/memory-of-before", "Which m and v move θ in the first step: zeros, or those that know g?", "θ moves by the m and v from before the step"},
      {gradient_for_mean, "adam/gradient-for-mean", "What is m for?", "θ moves by g / √v̂: m is kept, and not used"},
      {decay_in_fraction, "adamw/decay-in-fraction", "Does a weight with large gradients shrink less than one with small ones?", "(m̂ + λ θ) / (√v̂ + ε): the decay is divided by √v̂ as well"},
      {lr_missing, "adam/lr-missing", "With a rate of 0, should θ still move?", "θ moves by m̂ / (√v̂ + ε), without the rate"},
      {eps_greatest, "adam/eps-as-bound", "√v̂ = 1 and ε = 0.01: by what is m̂ divided?", "max(√v̂, ε), where √v̂ + ε is meant"},
      {v_of_size, "adam/v-of-size", "g is −2: what goes into v?", "v is the mean of |g|, not of g²"},
  };
}

Stage adamw_stage() {
  return {
      .function = "adamw",
      .right = adamw_right,
      .with = adamw_with,
      .mistakes = adamw_mistakes(),
      .probes = {adamw_probe("the first step of a gain", {1, 3, 1}, 1, {0.1, 0.1, 0.9, 0.99, 1e-2}, 1, 241),
                 adamw_probe("the fourth step of a matrix of 2 × 3", {2, 3, 1}, 4, {0.1, 0.1, 0.9, 0.98, 1e-2}, 1, 242),
                 adamw_probe("the seventh step of a bias, λ = 0.5", {1, 5, 1}, 7, {0.05, 0.5, 0.8, 0.95, 1e-2}, 1, 243),
                 adamw_probe("the first five steps of a matrix of 3 × 4", {3, 4, 5}, 1, {0.1, 0.1, 0.7, 0.9, 1e-2}, 1, 244),
                 adamw_probe("step 1000 of a matrix of 5 × 1, gradients of size 10⁻³, ε = 10⁻⁸", {5, 1, 1}, 1000,
                             {0.01, 0.1, 0.9, 0.999, 1e-8}, 1e-3, 245)},
      .laws = {{"m is a mean of the gradients, so it lies between the old m and g", m_is_a_mean, "Do the weights of the old m and of g sum to 1?"},
               {"v is a mean of the squares, so it lies between the old v and g²", v_is_a_mean, "Do the weights of the old v and of g² sum to 1, and is it g² that is averaged?"},
               {"the first step is nearly lr long, whatever the size of g", first_step_is_lr_long, "t = 1, g = 2, β₁ = 0.9, β₂ = 0.99: what are m, m̂, v and √v̂? And yours?"}},
      .pieces = {{"theta", [](const Probe& p, const Outputs& outputs) { return memory_is_right(adamw_right, p, outputs); },
                  "m and v are right, so only the lines that write theta are left. t = 1, g = 2, β₁ = 0.9, β₂ = 0.99: what are m̂ and √v̂? And yours?"},
                 {"m and v, and theta is right for them", follows_from_memory, "g = 2, β₁ = 0.9, β₂ = 0.99, old m = 1 and v = 1: what are the new m and v? And yours?"}},
      .hints = {"If every gradient is 1, what is m after the first step, and what should it be?",
                "Each number of θ is on its own: the loop's body is the whole optimizer. First the memory, then the step.",
                "m and v begin at 0, so after t steps of gradient 1 they have reached only 1 − βᵗ. The decay knows nothing of either.",
                "Update m and v and store them; m̂ and v̂ are theirs over 1 − βᵗ, each with its β, and are not stored. Then θ loses lr m̂ / (√v̂ + ε), and, in a matrix, lr λ times what it was before the step."},
  };
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
  return {
      .number = 23,
      .id = "adamw",
      .title = "A step of Nesterov's momentum, and one of AdamW",
      .section = "ch10-adam.md#optim-adamw",
      .needs = {},
      .minutes = 35,
      .done = "m and v outlive the step, m̂ and v̂ do not; and λ goes past both.",
      .stages = {in_adamw::nesterov_stage(), in_adamw::adamw_stage()},
      .also = {"ch10.md#optim-nesterov", "ch10-adam.md#optim-adam"},
  };
}

}  // namespace gradus::exercises::set
