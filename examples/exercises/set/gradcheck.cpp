#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/gradcheck.h"

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
NamedRule with_nan(const TensorRule& rule) { return one_wrong("right but for a NaN", rule, 2, std::numeric_limits<double>::quiet_NaN()); }

// A function of one number, whose slope has the sign of g: judged often enough, it is negative.
Checked of_one_number(const std::string& name, double sign) {
  const TensorRule rule = [=](const Tensor& g, const Tensor& x) { return sign * g * exp(x); };
  return {name,
          [=](const Tensor& x) { return sign * exp(x); },
          array("x", {1}, {0.5}),
          {{"right", rule}, {"right again", rule}, {"and again", rule}, {"and again", rule}, moved("too large", rule, 0.4)},
          4};
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
        {"eˣ",
         [](const Tensor& x) { return exp(x); },
         drawn("x", {3, 4}, 217),
         {{"right", of_exp}, {"g", [](const Tensor& g, const Tensor&) { return g; }}, scaled("1.5 times as large", of_exp, 1.5)}},
        {"softmax of each row",
         softmax_of,
         drawn("x", {8, 4}, 218),
         {{"right", softmax_rule},
          zero_rule(),
          scaled("negated", softmax_rule, -1),
          {"y (1 − y) g", [](const Tensor& g, const Tensor& x) { return g * softmax_of(x) * (1 - softmax_of(x)); }}}},
        {"x w",
         [w](const Tensor& x) { return matmul(x, tensor_of(w)); },
         drawn("x", {2, 3}, 212),
         {{"right", of_product},
          turned(of_product),
          one_wrong("the first number wrong", of_product, 0),
          one_wrong("the last number wrong", of_product, -1)}},
        {"eˣ − x",
         [](const Tensor& x) { return exp(x) - x; },
         array("x", {3, 4}, {1, 0, -3, 0.5, 0.75, -1, -2.5, -0.5, 0.9, -1.5, 0.25, -2}),
         {{"right", of_bent}, moved("too small", of_bent, -0.4), moved("too large", of_bent, 0.4), scaled("1 % too large", of_bent, 1.01)}},
        {"sin x, but 0 in every other column",
         [mask](const Tensor& x) { return tensor_of(mask) * sin(x); },
         drawn("x", {5, 4}, 213),
         {{"right", of_some}, {"without the 0", times_cos(1)}, scaled("½", of_some, 0.5)}},
        {"sin 20 x", times_sin(1, 20), drawn("x", {6, 2}, 214), {{"right", times_cos(1, 20)}, scaled("negated", times_cos(1, 20), -1)}},
        {"10⁸ sin x",
         times_sin(1e8),
         with_quarter_turn(drawn("x", {12}, 215)),
         {{"right", times_cos(1e8)}, scaled("1 % too small", times_cos(1e8), 0.99)}},
        {"10⁻⁸ sin x",
         times_sin(1e-8),
         drawn("x", {12}, 216),
         {{"right", times_cos(1e-8)}, zero_rule(), scaled("negated", times_cos(1e-8), -1), scaled("1 % too small", times_cos(1e-8), 0.99)}},
        {"x w at x = 0",
         [w](const Tensor& x) { return matmul(x, tensor_of(w)); },
         array("x", {2, 3}, std::vector<double>(6, 0)),  // where even a tiny h leaves all digits
         {{"right", of_product}, zero_rule()}},
        of_one_number("eˣ of one number", 1),
        of_one_number("−eˣ of one number", -1),  // one of the two is negative, even if g is always the same
        {"sin x of 300 numbers",
         times_sin(1),
         drawn("x", {300}, 219),
         {{"right", times_cos(1)},
          one_wrong("one number wrong by 1 %", times_cos(1), 7, 0.0101),
          with_nan(times_cos(1)),
          {"right numbers in the shape [1, 300]", [](const Tensor& g, const Tensor& x) { return reshape(g * cos(x), {1, -1}); }}}},
        {"x + ½ softmax of each row",
         [](const Tensor& x) { return x + 0.5 * softmax_of(x); },
         drawn("x", {3, 4}, 220),
         {{"right", [](const Tensor& g, const Tensor& x) { return g + 0.5 * softmax_rule(g, x); }},
          {"g, as if softmax were constant", [](const Tensor& g, const Tensor&) { return g; }}}},
    };
  }();
  return all;
}

const Checked& checked_in(const Probe& p) { return all_checked().at(p.whole("function")); }

Tensor unit(const Tensor& x, int64_t place) {
  return reshape(one_hot(from_vector(std::vector<int64_t>{place}, {}), x.numel(), DType::f64), x.shape());
}

Tensor central(const TensorOp& f, const Tensor& x, const Tensor& g, double h) {
  const auto loss_at = [&](const Tensor& at) { return sum(g * f(at)).item(); };
  std::vector<double> slopes;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const Tensor step = h * unit(x, i);
    slopes.push_back((loss_at(x + step) - loss_at(x - step)) / (2 * h));
  }
  return from_vector(slopes, x.shape());
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
    probes.push_back(
        {fmt::format("{}, with these rules: {}", one.name, fmt::join(names, "; ")), {number("function", static_cast<double>(i)), one.x}});
  }
  return probes;
}

std::string right_ones_pass(const Probe& p, const Outputs& outputs) {
  const Checked& one = checked_in(p);
  for (int i = 0; i < one.right_ones; ++i) {
    if (outputs[0].numbers[static_cast<std::size_t>(i)] != 1)
      return fmt::format("that of {} is accused{}", one.name, i > 0 ? ", for another g" : "");
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
    return in_gradcheck::verdicts(
        p, [=](const TensorOp& f, const TensorRule& rule, const Tensor& x) { return is_right(f, rule, x, in_gradcheck::central); });
  };
  return {Written<CentralDifferences>{differences, moved}, Written<IsRight>{is_right, judged}};
}

Exercise gradcheck_exercise() {
  using namespace in_gradcheck;
  return made_gradcheck::exercise({
      {
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
          .probes = difference_probes(),
          .laws = {{"a central difference is as far from the slope as h² is from 0", near_the_slope,
                    "How far apart are the two points, and by what do you divide?"}},
      },
      {
          .right =
              [](const Probe& p) {
                std::vector<double> right(checked_in(p).rules.size(), 0);
                std::fill_n(right.begin(), checked_in(p).right_ones, 1);
                return Outputs{array("right?", {static_cast<int>(right.size())}, right)};
              },
          .probes = check_probes(),
          .laws = {{"a right rule is not accused", right_ones_pass, "How large may the difference be beside the gradient itself?"},
                   {"a wrong rule is accused", wrong_ones_are_accused, "Which difference would your comparison let pass?"}},
      },
  });
}

}  // namespace gradus::exercises::set
