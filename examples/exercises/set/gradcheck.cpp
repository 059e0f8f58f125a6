#include "examples/exercises/set/gradcheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises::set {
namespace in_gradcheck {
namespace {

// --- what is checked ----------------------------------------------------------------------------------------
struct NamedRule {
  std::string name;
  TensorRule rule;
};

struct Checked {
  std::string name;
  TensorOp op;
  Array x;
  std::vector<NamedRule> rules;  // the right one first
  int right_ones = 1;            // how many of the first are right: each time g is another
};

TensorOp times_sin(double size, double frequency = 1) {
  return [=](const Tensor& x) { return size * sin(frequency * x); };
}
TensorRule times_cos(double size, double frequency = 1) {
  return [=](const Tensor& g, const Tensor& x) { return size * frequency * g * cos(frequency * x); };
}

Tensor softmax_of(const Tensor& x) { return exp(x) / sum(exp(x), -1, true); }
Tensor softmax_rule(const Tensor& g, const Tensor& x) {
  const Tensor y = softmax_of(x);
  return y * (g - sum(g * y, -1, true));
}

NamedRule scaled(const std::string& name, const TensorRule& rule, double by) {
  return {name, [=](const Tensor& g, const Tensor& x) { return by * rule(g, x); }};
}

// The rule, but for a number of this many parts of the largest that is added to each.
NamedRule moved(const std::string& name, const TensorRule& rule, double by) {
  return {name, [=](const Tensor& g, const Tensor& x) {
            const Tensor right = rule(g, x);
            return right + by * max(abs(right)).item();
          }};
}

NamedRule zero_rule() {
  return {"0", [](const Tensor&, const Tensor& x) { return zeros_like(x); }};
}

// The rule with one number changed by this part of the largest, counted from the end if negative.
NamedRule one_wrong(const std::string& name, const TensorRule& rule, int at, double by = 0.5) {
  return {name, [=](const Tensor& g, const Tensor& x) {
            Tensor wrong = rule(g, x).clone();
            double* numbers = wrong.mutable_data<double>();
            numbers[at < 0 ? wrong.numel() + at : at] += by * max(abs(wrong)).item();
            return wrong;
          }};
}

// The right numbers, but for one that is NaN.
NamedRule with_nan(const TensorRule& rule) {
  return one_wrong("right but for a NaN", rule, 2, std::numeric_limits<double>::quiet_NaN());
}

// A function of one number, whose slope has the sign of g: judged often enough, it is negative.
Checked of_one_number(const std::string& name, double sign) {
  const TensorRule rule = [=](const Tensor& g, const Tensor& x) { return sign * g * exp(x); };
  return {name, [=](const Tensor& x) { return sign * exp(x); }, array("x", {1}, {0.5}),
          {{"right", rule}, {"right again", rule}, {"and again", rule}, {"and again", rule}, moved("too large", rule, 0.4)}, 4};
}

// The numbers of the rule in the order of the next ones: their sum is right.
NamedRule turned(const TensorRule& rule) {
  return {"right numbers in wrong places", [=](const Tensor& g, const Tensor& x) {
            const Tensor flat = reshape(rule(g, x), {-1});
            return reshape(cat({slice(flat, 0, 1), slice(flat, 0, 0, 1)}, 0), x.shape());
          }};
}

// x, but its second number is π/2: there the slope of sin x is 0.
Array with_quarter_turn(Array x) {
  x.numbers[1] = std::acos(0.0);
  return x;
}

const std::vector<Checked>& all_checked() {
  static const std::vector<Checked> all = [] {
    const TensorRule of_exp = [](const Tensor& g, const Tensor& x) { return g * exp(x); };
    const TensorRule of_bent = [](const Tensor& g, const Tensor& x) { return g * (exp(x) - 1); };
    const Array w = drawn("w", {3, 2}, 211), mask = array("mask", {4}, {1, 0, 1, 0});  // no tensors, which would outlive the tests
    const TensorRule of_product = [w](const Tensor& g, const Tensor&) { return matmul(g, tensor_of(w), {.transpose_b = true}); };
    const TensorRule of_some = [mask](const Tensor& g, const Tensor& x) { return g * tensor_of(mask) * cos(x); };
    return std::vector<Checked>{
        {"eˣ", [](const Tensor& x) { return exp(x); }, drawn("x", {3, 4}, 217),
         {{"right", of_exp}, {"g", [](const Tensor& g, const Tensor&) { return g; }}, scaled("1.5 times as large", of_exp, 1.5)}},
        {"softmax of each row", softmax_of, drawn("x", {8, 4}, 218),
         {{"right", softmax_rule},
          zero_rule(),
          scaled("negated", softmax_rule, -1),
          {"y (1 − y) g", [](const Tensor& g, const Tensor& x) { return g * softmax_of(x) * (1 - softmax_of(x)); }}}},
        {"x w", [w](const Tensor& x) { return matmul(x, tensor_of(w)); }, drawn("x", {2, 3}, 212),
         {{"right", of_product}, turned(of_product), one_wrong("the first number wrong", of_product, 0), one_wrong("the last number wrong", of_product, -1)}},
        {"eˣ − x", [](const Tensor& x) { return exp(x) - x; }, array("x", {3, 4}, {1, 0, -3, 0.5, 0.75, -1, -2.5, -0.5, 0.9, -1.5, 0.25, -2}),
         {{"right", of_bent}, moved("too small", of_bent, -0.4), moved("too large", of_bent, 0.4), scaled("1 % too large", of_bent, 1.01)}},
        {"sin x, but 0 in every other column", [mask](const Tensor& x) { return tensor_of(mask) * sin(x); }, drawn("x", {5, 4}, 213),
         {{"right", of_some}, {"without the 0", times_cos(1)}, scaled("½", of_some, 0.5)}},
        {"sin 20 x", times_sin(1, 20), drawn("x", {6, 2}, 214), {{"right", times_cos(1, 20)}, scaled("negated", times_cos(1, 20), -1)}},
        {"10⁸ sin x", times_sin(1e8), with_quarter_turn(drawn("x", {12}, 215)), {{"right", times_cos(1e8)}, scaled("1 % too small", times_cos(1e8), 0.99)}},
        {"10⁻⁸ sin x", times_sin(1e-8), drawn("x", {12}, 216), {{"right", times_cos(1e-8)}, zero_rule(), scaled("negated", times_cos(1e-8), -1), scaled("1 % too small", times_cos(1e-8), 0.99)}},
        {"x w at x = 0", [w](const Tensor& x) { return matmul(x, tensor_of(w)); }, array("x", {2, 3}, std::vector<double>(6, 0)),  // where even a tiny h leaves all digits
         {{"right", of_product}, zero_rule()}},
        of_one_number("eˣ of one number", 1),
        of_one_number("−eˣ of one number", -1),  // one of the two is negative, even if g is always the same
        {"sin x of 300 numbers", times_sin(1), drawn("x", {300}, 219),
         {{"right", times_cos(1)},
          one_wrong("one number wrong by 1 %", times_cos(1), 7, 0.0101),
          with_nan(times_cos(1)),
          {"right numbers in the shape [1, 300]", [](const Tensor& g, const Tensor& x) { return reshape(g * cos(x), {1, -1}); }}}},
        {"x + ½ softmax of each row", [](const Tensor& x) { return x + 0.5 * softmax_of(x); }, drawn("x", {3, 4}, 220),
         {{"right", [](const Tensor& g, const Tensor& x) { return g + 0.5 * softmax_rule(g, x); }},
          {"g, as if softmax were constant", [](const Tensor& g, const Tensor&) { return g; }}}},
    };
  }();
  return all;
}

const Checked& checked_in(const Probe& p) { return all_checked().at(p.whole("function")); }

// --- differences --------------------------------------------------------------------------------------------
enum Wrong { ones_for_g, forward, backward, by_h, to_both_by_half, left_below, left_above, all_at_once, first_only, own_output_only, mean_of_outputs, precedence,
             never_moved, by_place, first_output_only };

double loss_at(const TensorOp& f, const Tensor& x, const Tensor& g, Made made, int64_t place) {
  Tensor weighted = made[ones_for_g] ? f(x) : g * f(x);
  if (made[own_output_only]) {
    const Tensor flat = reshape(weighted, {-1});
    weighted = place < flat.numel() ? select(flat, 0, place) : zeros({}, DType::f64);
  }
  if (made[first_output_only]) return weighted.data<double>()[0];
  return (made[mean_of_outputs] ? mean(weighted) : sum(weighted)).item();
}

Tensor unit(const Tensor& x, int64_t place) {
  return reshape(one_hot(from_vector(std::vector<int64_t>{place}, {}), x.numel(), DType::f64), x.shape());
}

Tensor differences_with(const TensorOp& f, const Tensor& x, const Tensor& g, double h, Made made) {
  if (made[by_place]) return g * (f(x + h) - f(x - h)) / (2 * h);
  Tensor base = x;
  std::vector<double> slopes;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const Tensor step = h * (made[all_at_once] ? ones_like(x) : made[never_moved] ? zeros_like(x) : unit(x, i));
    const Tensor up = made[backward] ? base : base + step, down = made[forward] || made[to_both_by_half] ? base : base - step;
    const double width = made[precedence] ? 2 / h : made[forward] || made[backward] || made[by_h] ? h : 2 * h;
    const double slope = (loss_at(f, up, g, made, i) - loss_at(f, down, g, made, i)) / width;
    slopes.push_back(made[first_only] && i > 0 ? 0 : slope);
    base = made[left_below] ? base - step : made[left_above] ? base + step : base;
  }
  return from_vector(slopes, x.shape());
}

Tensor central(const TensorOp& f, const Tensor& x, const Tensor& g, double h) { return differences_with(f, x, g, h, {}); }

Outputs differences_outputs(const Probe& p, Made made) {
  return {checked("dL/dx", differences_with(checked_in(p).op, tensor_of(p["x"]), tensor_of(p["g"]), p.number("h"), made), p["x"].shape)};
}

std::vector<Probe> difference_probes() {
  std::vector<Probe> probes;
  const auto add = [&](int function, double h, Array x = {}, std::vector<double> g = {}) {
    const Checked& one = all_checked()[function];
    if (x.numbers.empty()) x = one.x;
    Array cotangent = array_of("g", one.op(tensor_of(x)));
    cotangent.numbers = g.empty() ? drawn("g", cotangent.shape, 221 + probes.size(), 1, 0.3).numbers : g;
    probes.push_back({fmt::format("{}, h = {}", one.name, h), {number("function", function), cotangent, x, number("h", h)}});
  };
  add(0, 0.1, array("x", {3}, {1, -0.5, 0.25}), {1, 2, -1});
  add(1, 0.1, array("x", {2, 4}, {0.5, -1, 2, 0.25, 1, -0.5, 0, 1.5}));
  add(2, 0.25);
  add(3, 0.5);
  add(4, 0.125);
  return probes;
}

// The error of a central difference is about h² times something, that of a one-sided one h times something.
std::string near_the_slope(const Probe& p, const Outputs& outputs) {
  const Tensor right = checked_in(p).rules[0].rule(tensor_of(p["g"]), tensor_of(p["x"])), mine = tensor_of(outputs[0]);
  const double h = p.number("h"), worst = max(abs(mine - right)).item(), allowed = h * h * (0.5 + max(abs(right)).item());
  return worst <= allowed ? "" : fmt::format("one differs by {:.3g}, where h² is {:.3g}", worst, h * h);
}

Stage differences_stage() {
  return {
      .function = "differences",
      .right =
          [](const Probe& p) {
            const Tensor x = tensor_of(p["x"]), g = tensor_of(p["g"]);
            const double h = p.number("h");
            std::vector<double> slopes;
            for (int64_t i = 0; i < x.numel(); ++i) {
              const Tensor change = checked_in(p).op(x + h * unit(x, i)) - checked_in(p).op(x - h * unit(x, i));
              slopes.push_back(sum(g * change).item() / (2 * h));
            }
            return Outputs{array_of("dL/dx", from_vector(slopes, x.shape()))};
          },
      .with = differences_outputs,
      .mistakes =
          {
              {ones_for_g, "check/ones-as-cotangent", "Softmax's outputs sum to 1, whatever x is. What does Σ y say of its rule?", "g is left out, or all ones: the outputs are added as they are"},
              {forward, "check/one-sided", "Where does the line touch the curve: beside x, or at x?", "one-sided: from x to x + h"},
              {backward, "check/one-sided", "Where does the line touch the curve: beside x, or at x?"},
              {by_h, "check/divided-by-h", "How far is it from x − h to x + h?", "divided by h, where 2h lies between the two points"},
              {to_both_by_half, "check/back-to-x-only", "x + h, and then h less: where is that?", "the second point is x, not x − h"},
              {left_below, "check/not-restored", "Where does the first number stand when the second is moved?", "a number that was moved is not put back"},
              {left_above, "check/not-restored", "Where does the first number stand when the second is moved?"},
              {all_at_once, "check/all-at-once", "Whose slope is it, if all numbers move?", "all numbers of x are moved together"},
              {first_only, "check/one-index-only", "How many slopes has x?", "only the first number of x is looked at"},
              {own_output_only, "check/own-output-only", "Which outputs of softmax move when one score does?", "only the output in the same place is looked at"},
              {mean_of_outputs, "check/mean-of-outputs", "Is L the sum, or the mean, of g ⊙ y?", "L is taken as the mean of g ⊙ y"},
              {precedence, "check/precedence", "In a / 2 * h, is h above the line, or below?", "/ 2 * h multiplies by h"},
              {never_moved, "check/never-moved", "At which two points is L taken: do they differ?", "L is taken at the same point twice"},
              {by_place, "check/all-at-once", "Softmax: one score moves, and all outputs do. Which of them does your difference see?"},
              {first_output_only, "check/first-output-only", "Which outputs does one number of x move, and how many of them are in your L?", "L is the first number of g ⊙ y alone"},
          },
      .probes = difference_probes(),
      .laws = {{"a central difference is as far from the slope as h² is from 0", near_the_slope, "How far apart are the two points, and by what do you divide?"}},
      .hints = {"x has three numbers. How many slopes has L, and which of the three numbers moves for each?",
                "Move one number at a time, on a copy, and put it back before the next.",
                "What belongs to x − h and to x + h lies 2h apart, and the error of the difference is about h².",
                "dL/dx_i ≈ (Σ g ⊙ f(x + h e_i) − Σ g ⊙ f(x − h e_i)) / 2h."},
  };
}

// --- is_right -----------------------------------------------------------------------------------------------
enum WrongCheck { check_ones, other_g, sums_only, check_first_only, last_only, not_too_large, not_too_small, absolute, floor_of_1e_5, for_each_place, by_division,
                  loose, h_0_1, h_1e_3, h_1e_13, all_right, inverted, allclose, mean_error, nan_passes, shape_ignored, nearly_ones, one_hot_g,
                  sizes_only, direction_only, any_place, largest_signed };

// Do they agree at a place where these are the two, and this the largest by differences?
bool agree_at(double by_rule, double by_differences, double largest, Made made) {
  double error = by_rule - by_differences;
  if (made[not_too_small]) error = std::max(error, 0.0);  // what the missing |…| leaves
  if (made[not_too_large]) error = std::min(error, 0.0);
  error = std::abs(error);
  if (made[nan_passes] && std::isnan(error)) return true;
  if (made[allclose]) return error <= 1e-8 + 1e-5 * std::abs(by_differences);
  if (made[by_division]) return error / std::abs(by_differences) <= 1e-5;  // 0/0 is not
  if (made[absolute]) return error <= 1e-5;
  const double tolerance = made[loose] ? 0.05 : made[nearly_ones] ? 1e-3 : 1e-5;
  return error <= tolerance * (made[for_each_place] ? std::abs(by_differences) : largest) + (made[floor_of_1e_5] ? 1e-5 : 0);
}

bool is_right_with(const TensorOp& f, const TensorRule& rule, const Tensor& x, Made made) {
  if (made[all_right]) return true;
  Generator random(231);
  const Tensor drawn = randn(f(x).shape(), DType::f64, random), other = randn(drawn.shape(), DType::f64, random);
  Tensor g = made[check_ones] ? ones_like(drawn) : made[nearly_ones] ? uniform(drawn.shape(), 0.99, 1, DType::f64, random) : drawn;
  if (made[one_hot_g]) g = unit(drawn, 0);
  const double h = made[h_0_1] ? 0.1 : made[h_1e_3] ? 1e-3 : made[h_1e_13] ? 1e-13 : 1e-5;
  Tensor by_rule = rule(g, x), by_differences = differences_with(f, x, made[other_g] ? other : g, h, {});
  const double largest = max(made[largest_signed] ? by_differences : abs(by_differences)).item();
  if (by_rule.shape() != x.shape() && !made[shape_ignored]) return made[inverted];
  if (made[mean_error]) return mean(abs(by_rule - by_differences)).item() <= 1e-4 * largest;
  if (made[direction_only]) {
    const auto product = [](const Tensor& a, const Tensor& b) { return sum(a * b).item(); };
    return product(by_rule, by_differences) > 0.9999 * std::sqrt(product(by_rule, by_rule) * product(by_differences, by_differences));
  }
  if (made[sizes_only]) by_rule = max(abs(by_rule)), by_differences = max(abs(by_differences));
  if (made[sums_only]) by_rule = sum(by_rule), by_differences = sum(by_differences);
  bool agree = !made[any_place];
  for (int64_t i = 0; i < by_rule.numel(); ++i) {
    if ((made[check_first_only] && i > 0) || (made[last_only] && i + 1 < by_rule.numel())) continue;
    const bool here = agree_at(by_rule.data<double>()[i], by_differences.data<double>()[i], largest, made);
    agree = made[any_place] ? agree || here : agree && here;
  }
  return agree != made[inverted];
}

template <typename F> Outputs verdicts(const Probe& p, const F& is_right) {
  const Checked& one = checked_in(p);
  const Tensor x = tensor_of(p["x"]);
  Array verdicts = array("right?", {static_cast<int>(one.rules.size())}, std::vector<double>(one.rules.size(), 0));
  for (std::size_t i = 0; i < one.rules.size(); ++i) {
    verdicts.numbers[i] = is_right(one.op, one.rules[i].rule, x) ? 1 : 0;
    check_unchanged(p, "x", x);
  }
  return {verdicts};
}

std::vector<Probe> check_probes() {
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < all_checked().size(); ++i) {
    const Checked& one = all_checked()[i];
    std::vector<std::string> names;
    for (const NamedRule& rule : one.rules) names.push_back(rule.name);
    probes.push_back({fmt::format("{}, with these rules: {}", one.name, fmt::join(names, "; ")), {number("function", static_cast<double>(i)), one.x}});
  }
  return probes;
}

std::string right_ones_pass(const Probe& p, const Outputs& outputs) {
  const Checked& one = checked_in(p);
  for (int i = 0; i < one.right_ones; ++i) {
    if (outputs[0].numbers[static_cast<std::size_t>(i)] != 1) return fmt::format("that of {} is accused{}", one.name, i > 0 ? ", for another g" : "");
  }
  return "";
}

std::string wrong_ones_are_accused(const Probe& p, const Outputs& outputs) {
  const Checked& one = checked_in(p);
  for (std::size_t i = static_cast<std::size_t>(one.right_ones); i < one.rules.size(); ++i) {
    if (outputs[0].numbers[i] != 0) return fmt::format("'{}' for {} is not", one.rules[i].name, one.name);
  }
  return "";
}

Stage check_stage() {
  return {
      .function = "is_right",
      .right =
          [](const Probe& p) {
            std::vector<double> right(checked_in(p).rules.size(), 0);
            std::fill_n(right.begin(), checked_in(p).right_ones, 1);
            return Outputs{array("right?", {static_cast<int>(right.size())}, right)};
          },
      .with =
          [](const Probe& p, Made made) {
            return verdicts(p, [&](const TensorOp& f, const TensorRule& rule, const Tensor& x) { return is_right_with(f, rule, x, made); });
          },
      .mistakes =
          {
              {check_ones, "check/ones-as-cotangent", "Softmax's outputs sum to 1, whatever x is. What does Σ y say of its rule?"},
              {other_g, "check/two-cotangents", "Do the rule and the differences speak of one L?", "the rule gets another g than the differences"},
              {sums_only, "check/sums-only", "May two wrong numbers have a right sum?", "only the sums of the two gradients are compared"},
              {check_first_only, "check/one-index-only", "How many slopes has x?"},
              {last_only, "check/last-index-only", "How many slopes has x? Is a mistake in the first one seen?", "only the last number counts"},
              {not_too_large, "check/too-large-passes", "Is 5 − 3 larger than a tolerance of 0.1? And 3 − 5?", "the difference has no | |: a rule that gives too much passes"},
              {not_too_small, "check/too-small-passes", "Is 5 − 3 larger than a tolerance of 0.1? And 3 − 5?", "the difference has no | |: a rule that gives too little passes"},
              {absolute, "check/absolute-tolerance", "How many digits of a gradient of 10⁸ can be right?", "one tolerance for gradients of 10⁸ and of 10⁻⁸"},
              {floor_of_1e_5, "check/tolerance-hides-small", "If all gradients are about 10⁻⁸, which rule would your check accuse?", "a fixed part of the tolerance is larger than small gradients"},
              {for_each_place, "check/relative-at-each-place", "Where a slope is 0, the difference is only rounding. What is its relative error?",
               "errors are measured by the number in the same place, even where that is 0"},
              {by_division, "check/relative-at-each-place", "What is 0/0, and is it less than a tolerance?"},
              {loose, "check/loose", "By how much may a wrong rule be wrong?", "the tolerance is larger than what a wrong rule is wrong by"},
              {h_0_1, "check/h-too-large", "How much does eˣ bend between x − h and x + h?", "h is so large that the curve bends: right rules are accused"},
              {h_1e_3, "check/h-large-for-bends", "sin 20 x bends 400 times as much as sin x. How far is its central difference from its slope, for your h, and for your tolerance?", "h is too large for functions that bend much, or the tolerance too small"},
              {h_1e_13, "check/h-too-small", "L is known to 16 digits. How many are left of L(x + h) − L(x − h), and how many does your tolerance ask for?", "h is so small that only rounding is left, or the tolerance so small that no difference meets it"},
              {all_right, "check/never-accuses", "Which rule would your check accuse?", "no rule is accused"},
              {inverted, "check/inverted", "What does true mean: right, or wrong?", "right rules are called wrong, and wrong ones right"},
              {allclose, "check/allclose", "allclose adds 10⁻⁸ to its tolerance. How large are the gradients of 10⁻⁸ sin x?",
               "10⁻⁸ is added to the tolerance, as allclose does, however small the gradients are", "NVIDIA/warp#508"},
              {mean_error, "check/mean-error", "One of 300 numbers is wrong by 1 %. How large is the mean error?", "the mean error is compared, in which one wrong number is lost"},
              {nan_passes, "check/nan-passes", "Is NaN > 0.1? And is it larger than the greatest error so far?", "a rule that gives NaN passes, as no comparison with NaN is true"},
              {shape_ignored, "check/shape-ignored", "Which shape has dL/dx?", "the shape of what the rule gives is not looked at"},
              {nearly_ones, "check/nearly-ones", "Every g is between 0.99 and 1. How much of Σ g ⊙ softmax(x) moves with x?", "the g are nearly all alike, and hide what ones hide"},
              {one_hot_g, "check/one-hot-cotangent", "All of g is 0 but for one number. Which outputs do you look at?", "g is 0 but in one place: wrong slopes of the other outputs are not seen"},
              {sizes_only, "check/sizes-only", "3 and −3 are of one size. Are they equal?", "only the sizes of the two gradients are compared"},
              {direction_only, "check/direction-only", "A rule gives twice the gradient. What is the angle between the two?", "only the directions of the two gradients are compared"},
              {any_place, "check/one-place-suffices", "At how many places may a right rule be wrong?", "it is enough that they agree at one place"},
              {largest_signed, "check/largest-signed", "The gradients are −5 and −3. Which is the largest, and how large?", "the largest gradient is taken without | |, and may be negative"},
          },
      .probes = check_probes(),
      .laws = {{"a right rule is not accused", right_ones_pass, "How large may the difference be beside the gradient itself?"},
               {"a wrong rule is accused", wrong_ones_are_accused, "Which difference would your comparison let pass?"}},
      .hints = {"The outputs of softmax always sum to 1. What would you see of its rule, if every g were 1?",
                "One g for both, and random. Then all places are compared, by one number that says what is large.",
                "The error of a central difference has two parts: one grows as h², one as rounding over h. Two gradients agree if they differ by little beside the largest.",
                "Compare max |rule − differences| with a small part of max |differences|, so that NaN fails. The shape is that of x."},
  };
}

}  // namespace
}  // namespace in_gradcheck

Functions gradcheck(CentralDifferences* differences, IsRight* is_right) {
  const auto moved = [=](const Probe& p) {
    const Tensor x = tensor_of(p["x"]), g = tensor_of(p["g"]);
    const Tensor slopes = differences(in_gradcheck::checked_in(p).op, x, g, p.number("h"));
    check_unchanged(p, "x", x);
    check_unchanged(p, "g", g);
    return Outputs{checked("dL/dx", slopes, p["x"].shape)};
  };
  const auto judged = [=](const Probe& p) {
    manual_seed(230);  // the same g each time that it is called
    return in_gradcheck::verdicts(p, [=](const TensorOp& f, const TensorRule& rule, const Tensor& x) { return is_right(f, rule, x, in_gradcheck::central); });
  };
  return {Written<CentralDifferences>{differences, moved}, Written<IsRight>{is_right, judged}};
}

Exercise gradcheck_exercise() {
  return {
      .number = 5,
      .id = "gradcheck",
      .title = "a check of rules, by differences",
      .section = "ch00.md",
      .needs = {"rule-mul"},
      .minutes = 35,
      .done = "A check has to accuse what is wrong, and to let pass what is right. The random g does the first; h and the tolerance do the second.",
      .stages = {in_gradcheck::differences_stage(), in_gradcheck::check_stage()},
  };
}

}  // namespace gradus::exercises::set
