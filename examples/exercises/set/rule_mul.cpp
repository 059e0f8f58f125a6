#include "examples/exercises/set/rule_mul.h"

#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises::set {
namespace in_rule_mul {
namespace {

using Op = std::function<Tensor(const Tensor& a, const Tensor& b)>;

// --- mul_rule -----------------------------------------------------------------------------------------------
enum Wrong { own_factors, own_for_a, own_for_b, g_missing, factor_missing, value_for_slope, added, both_factors, factor_twice, divided, by_division };

double other_factor(double own, double other, bool takes_own, Made made) {
  const double factor = takes_own ? own : other;
  if (made[factor_missing]) return 1;
  if (made[value_for_slope]) return own * other;
  if (made[both_factors]) return own + other;
  if (made[divided]) return 1 / factor;
  if (made[by_division]) return own * other / (takes_own ? other : own);
  return made[factor_twice] ? factor * factor : factor;
}

Outputs rule_with(const Probe& p, Made made) {
  Array da = p["a"], db = p["b"];
  for (std::size_t i = 0; i < da.numbers.size(); ++i) {
    const double g = made[g_missing] ? 1 : p["g"].numbers[i], a = p["a"].numbers[i], b = p["b"].numbers[i];
    const double of_a = other_factor(a, b, made[own_factors] || made[own_for_a], made);
    const double of_b = other_factor(b, a, made[own_factors] || made[own_for_b], made);
    da.numbers[i] = made[added] ? g + of_a : g * of_a;
    db.numbers[i] = made[added] ? g + of_b : g * of_b;
  }
  da.name = "dL/da";
  db.name = "dL/db";
  return {da, db};
}

Outputs rule_right(const Probe& p) {
  const Tensor a = tensor_of(p["a"]).set_requires_grad(), b = tensor_of(p["b"]).set_requires_grad();
  const Tensors grads = grad({a * b}, {a, b}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dL/da", grads[0]), array_of("dL/db", grads[1])};
}

Probe three_numbers() {  // the chapter's
  return {"three numbers", {array("g", {3}, {1, 2, 3}), array("a", {3}, {2, -1, 3}), array("b", {3}, {3, 4, 0})}};
}

// With a 0 in place 3, by which nothing can be divided.
Array with_zero(Array array) {
  array.numbers[3] = 0;
  return array;
}

std::vector<Probe> rule_probes() {
  const auto drawn_as = [](const std::string& name, const std::vector<int>& shape, std::uint64_t seed) {
    return Probe{name, {drawn("g", shape, seed), drawn("a", shape, seed + 1, 1, 0.5), drawn("b", shape, seed + 2, 2, -0.3)}};
  };
  Probe rows = drawn_as("two rows of 5, with a 0 in a", {2, 5}, 31);
  rows.inputs[1] = with_zero(rows.inputs[1]);
  return {three_numbers(), rows, drawn_as("three matrices, 2 by 4", {3, 2, 4}, 34),
          drawn_as("a single number", {}, 37)};
}

double dot(const Array& a, const Array& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) sum += a.numbers[i] * b.numbers[i];
  return sum;
}

bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * (1 + std::abs(b)); }

// Σ x ⊙ dL/dx is Σ g ⊙ y, for each factor x.
std::string longer_by_one_percent(const Probe& p, const Outputs& outputs) {
  double right = 0;
  for (std::size_t i = 0; i < p["g"].numbers.size(); ++i) right += p["g"].numbers[i] * p["a"].numbers[i] * p["b"].numbers[i];
  for (const Array& gradient : outputs) {
    if (gradient.name != "dL/da" && gradient.name != "dL/db") continue;
    const char* factor = gradient.name == "dL/da" ? "a" : "b";
    const double mine = dot(gradient, p[factor]);
    if (differ(mine, right)) return fmt::format("that of {} ⊙ {} is {}, not {}", factor, gradient.name, beside(mine, right), beside(right, mine));
  }
  return "";
}

// --- square_rule --------------------------------------------------------------------------------------------
enum WrongSquare { one_path, square_g_missing, square_x_missing, times_x_squared, exponent_kept, both_added, square_by_division, g_squared };

Outputs square_with(const Probe& p, Made made) {
  Array dx = p["x"];
  for (std::size_t i = 0; i < dx.numbers.size(); ++i) {
    const double arriving = p["g"].numbers[i], x = p["x"].numbers[i];
    const double g = made[square_g_missing] ? 1 : made[g_squared] ? arriving * arriving : arriving;
    const double slope = made[square_x_missing] ? 1 : made[times_x_squared] ? x * x / 2 : made[exponent_kept] ? x * x : made[square_by_division] ? x * x / x : x;
    dx.numbers[i] = made[both_added] ? g + 2 * slope : (made[one_path] ? 1 : 2) * g * slope;
  }
  dx.name = "dL/dx";
  return {dx};
}

Outputs square_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  return {array_of("dL/dx", grad({square(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::vector<Probe> square_probes() {
  return {{"three numbers", {array("g", {3}, {1, 2, 3}), array("x", {3}, {2, -1, 3})}},
          {"two rows of 5, with a 0", {drawn("g", {2, 5}, 41), with_zero(drawn("x", {2, 5}, 42, 1, 0.5))}},
          {"three matrices, 2 by 4", {drawn("g", {3, 2, 4}, 43), drawn("x", {3, 2, 4}, 44, 2, -0.2)}}};
}

std::string grows_by_two_percent(const Probe& p, const Outputs& outputs) {
  double right = 0;
  for (std::size_t i = 0; i < p["x"].numbers.size(); ++i) right += 2 * p["g"].numbers[i] * p["x"].numbers[i] * p["x"].numbers[i];
  const double mine = dot(outputs[0], p["x"]);
  return differ(mine, right) ? fmt::format("it is {}, not {}", beside(mine, right), beside(right, mine)) : "";
}

// --- times --------------------------------------------------------------------------------------------------
enum WrongOp { op_own_factors, op_first_twice, op_second_twice, op_g_missing, op_factor_missing, op_sum, op_constants, op_constant_a, op_constant_b, op_not_recorded, op_leaf, op_by_division };

// The gradients of a and b, 0 where none arrives.
Tensors gradients(const Tensor& y, const Tensor& a, const Tensor& b, const Tensor& g, bool create_graph) {
  if (!y.requires_grad()) return {zeros_like(a), zeros_like(b)};
  Tensors both = grad({y}, {a, b}, {.seeds = {g}, .create_graph = create_graph, .allow_unused = true});
  for (Tensor& one : both) one = one.defined() ? one : zeros_like(a);
  return both;
}

// The value, its gradients, those of dL/da + 2 dL/db, and whether the op that made y is the student's: 1 or 0.
Outputs walked(const Op& op, const Probe& p) {
  const Tensor a = tensor_of(p["a"]).set_requires_grad(), b = tensor_of(p["b"]).set_requires_grad(), g = tensor_of(p["g"]);
  const std::vector<int> shape = p["a"].shape;
  const Tensor y = op(a, b);
  check_unchanged(p, "a", a);
  check_unchanged(p, "b", b);
  const Array value = checked("y", y, shape);
  if (!y.requires_grad()) throw GradientCut{"a"};
  const Tensors first = gradients(y, a, b, g, true);
  const Tensors second = gradients(first[0] + 2 * first[1], a, b, g, false);
  const bool own = y.node() != nullptr && y.node()->name() == std::string("times");
  return {value, array_of("dL/da", first[0]), array_of("dL/db", first[1]), array_of("2nd a", second[0]), array_of("2nd b", second[1]),
          number("op times", own ? 1 : 0)};
}

Op op_with(Made made) {
  return [made](const Tensor& a, const Tensor& b) {
    if (made[op_not_recorded]) return a * b;
    const auto rule = [made](std::size_t own) {
      std::size_t factor = 1 - own;
      if (made[op_own_factors] || made[own == 0 ? op_second_twice : op_first_twice]) factor = own;
      return [made, factor](const Step& step) {
        const Tensor g = made[op_g_missing] ? ones_like(step.grad) : step.grad;
        if (made[op_factor_missing]) return g;
        if (made[op_by_division]) return g * step.output() / step.input(1 - factor);
        return g * (made[op_constants] || made[factor == 0 ? op_constant_a : op_constant_b] ? step.input(factor).detach() : step.input(factor));
      };
    };
    const Tensor value = made[op_sum] ? a.detach() + b.detach() : a.detach() * b.detach();
    if (made[op_leaf]) return Tensor(value).set_requires_grad();
    return record("times", value, {a, b}, rule(0), rule(1));
  };
}

std::string value_is_the_product(const Probe& p, const Outputs& outputs) {
  for (std::size_t i = 0; i < outputs[0].numbers.size(); ++i) {
    const double y = outputs[0].numbers[i], a = p["a"].numbers[i], b = p["b"].numbers[i];
    if (differ(y, a * b)) return fmt::format("{:.4g} and {:.4g} give {:.4g}", a, b, y);
  }
  return "";
}

Outputs op_right(const Probe& p) {
  return walked(op_with({}), p);
}

Stage rule_stage() {
  return {
      .function = "mul_rule",
      .right = rule_right,
      .with = rule_with,
      .mistakes =
          {
              {own_factors, "op/own-factors", "b is 4. Make a larger by 0.1: how far does y move?", "each factor gets what arrives times itself"},
              {own_for_a, "op/own-factor-for-a", "b is 4. Make a larger by 0.1: how far does y move?", "a gets what arrives times itself"},
              {own_for_b, "op/own-factor-for-b", "a is 2. Make b larger by 0.1: how far does y move?", "b gets what arrives times itself"},
              {g_missing, "op/g-missing", "y moves by 4: how far does the loss move?", "the slopes of y, without what arrives at y"},
              {factor_missing, "op/factor-missing", "b is 4. Make a larger by 0.1: how far does y move?", "both get what arrives as it is, as in a sum"},
              {value_for_slope, "op/value-for-slope", "Which number is the slope of y: y, or how fast y grows?", "what arrives times y itself"},
              {added, "op/added-not-multiplied", "Twice as much arrives: how much more does a get?", "the factor added to what arrives"},
              {both_factors, "op/both-factors", "If only a moves, what does y know of it: a, b, or both?", "what arrives times the sum of both factors"},
              {factor_twice, "op/factor-twice", "b is 4. Make a larger by 0.1: how far does y move?", "what arrives times the square of the other factor"},
              {divided, "op/divided", "b is 4. Make a larger by 0.1: does y move by 0.4, or by 0.025?", "what arrives is divided by the other factor"},
              {by_division, "op/by-division", "What is y / a where a is 0?", "the other factor is made as y over the own one, which is 0/0 where that is 0"},
          },
      .probes = rule_probes(),
      .laws = {{"each factor times its gradient has the same sum as g ⊙ y", longer_by_one_percent, "Which factor does the gradient of each one get?"}},
      .hints = {"b is 4, and a grows by 0.1. How far does y move? And if the loss moves 3 times as far as y?",
                "Nothing is summed here: each number of y has one a and one b, in its own place.",
                "What one factor does to a product is what the other factor is.",
                "dL/da = dL/dy ⊙ b and dL/db = dL/dy ⊙ a."},
  };
}

Stage square_stage() {
  return {
      .function = "square_rule",
      .right = square_right,
      .with = square_with,
      .mistakes =
          {
              {one_path, "op/one-path", "In how many places does x stand?", "x gets the gradient of one of its two places"},
              {square_g_missing, "op/square-without-g", "y moves by 4: how far does the loss move?", "2 x, without what arrives at y"},
              {square_x_missing, "op/square-without-x", "Is the slope of x² the same everywhere?", "2 g, whatever x is"},
              {times_x_squared, "op/square-of-x", "Which number is the slope of y: y, or how fast y grows?", "what arrives times x²"},
              {exponent_kept, "op/exponent-kept", "x³ has the slope 3 x². And x²?", "what arrives times 2 x²"},
              {both_added, "op/square-added", "Twice as much arrives: how much more does x get?", "2 x added to what arrives"},
              {square_by_division, "op/by-division", "What is x² / x where x is 0?"},
              {g_squared, "op/g-squared", "Twice as much arrives: how much more does x get?", "what arrives is multiplied in twice"},
          },
      .probes = square_probes(),
      .laws = {{"the sum of x ⊙ dL/dx is twice that of g ⊙ y", grows_by_two_percent, "x stands in the product twice. How many terms has its gradient?"}},
      .hints = {"x is 3 and grows by 0.1. How far does y move, in tenths: 3, or 6?",
                "x stands in both places of the product. Each place hands something back.",
                "A tensor that stands in two places gets the sum of both gradients.",
                "dL/dx = dL/dy ⊙ x + dL/dy ⊙ x."},
  };
}

Stage op_stage() {
  return {
      .function = "times",
      .right = op_right,
      .with = [](const Probe& p, Made made) { return walked(op_with(made), p); },
      .mistakes =
          {
              {op_own_factors, "op/rules-exchanged", "Which rule is a's: the first, or the second?", "a gets the gradient that belongs to b, and b that of a"},
              {op_first_twice, "op/first-rule-twice", "Which input does the second rule read?", "both rules read b"},
              {op_second_twice, "op/second-rule-twice", "Which input does the first rule read?", "both rules read a"},
              {op_g_missing, "op/rules-without-g", "What arrives at y, and where do your rules use it?", "the rules do not use step.grad"},
              {op_factor_missing, "op/rules-of-a-sum", "What does a rule of a product need besides what arrives?", "both rules hand on what arrives, as in a sum"},
              {op_sum, "op/value-of-a-sum", "What is the value of your op for 2 and 3?", "the value is the sum"},
              {op_constants, "op/rule-of-constants", "dL/da = g ⊙ b depends on b. Does yours, if it is walked again?",
               "a rule reads constants, so that a second walk (for second derivatives) finds no way through it"},
              {op_constant_a, "op/rule-of-constants", "dL/db = g ⊙ a depends on a. Does yours, if it is walked again?"},
              {op_constant_b, "op/rule-of-constants", "dL/da = g ⊙ b depends on b. Does yours, if it is walked again?"},
              {op_not_recorded, "op/not-recorded", "Which op stands on the tape after your call: times, or one that was there before?",
               "y is made by an op of the library, so none of yours is on the tape"},
              {op_leaf, "op/new-leaf", "y asks for a gradient. What does the tape know of how y was made?", "y is a new leaf: no op connects it with a and b"},
              {op_by_division, "op/by-division", "What is y / a where a is 0?"},
          },
      .probes = rule_probes(),
      .laws = {{"the value is the product", value_is_the_product, "What does your forward compute?"},
               {"each factor times its gradient has the same sum as g ⊙ y", longer_by_one_percent, "Which factor does the gradient of each one get?"}},
      .hints = {"What does the tape have to keep of a product, so that the way back can be walked later?",
                "record takes five things: the name, the value made of a.detach() and b.detach(), the inputs, and a rule for each of them.",
                "A rule is your mul_rule again, in terms of a Step: what arrives is step.grad, and a factor is one of step.input(0) and step.input(1).",
                "The rule of a is step.grad ⊙ step.input(1), that of b step.grad ⊙ step.input(0)."},
  };
}

}  // namespace
}  // namespace in_rule_mul

Functions rule_mul(std::pair<Tensor, Tensor> (*mul_rule)(const Tensor&, const Tensor&, const Tensor&),
                   Tensor (*square_rule)(const Tensor&, const Tensor&), Tensor (*times)(const Tensor&, const Tensor&)) {
  return {[=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]), a = tensor_of(p["a"]), b = tensor_of(p["b"]);
            const auto [da, db] = mul_rule(g, a, b);
            check_unchanged(p, "g", g);
            check_unchanged(p, "a", a);
            check_unchanged(p, "b", b);
            return Outputs{checked("dL/da", da, p["a"].shape), checked("dL/db", db, p["b"].shape)};
          },
          [=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]), x = tensor_of(p["x"]);
            const Tensor dx = square_rule(g, x);
            check_unchanged(p, "g", g);
            check_unchanged(p, "x", x);
            return Outputs{checked("dL/dx", dx, p["x"].shape)};
          },
          [=](const Probe& p) { return in_rule_mul::walked(times, p); }};
}

Exercise rule_mul_exercise() {
  return {
      .number = 1,
      .id = "rule-mul",
      .title = "the rule of a product",
      .section = "ch00.md#op-mul",
      .needs = {},
      .minutes = 15,
      .done = "The slope of a product is the other factor: so the tape has to keep both until the walk comes back.",
      .stages = {in_rule_mul::rule_stage(), in_rule_mul::square_stage(), in_rule_mul::op_stage()},
  };
}

}  // namespace gradus::exercises::set
