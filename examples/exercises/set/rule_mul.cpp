#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/rule_mul.h"

namespace gradus::exercises::set {
namespace in_rule_mul {
namespace {

using Op = std::function<Tensor(const Tensor& a, const Tensor& b)>;

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
  return {three_numbers(), rows, drawn_as("three matrices, 2 by 4", {3, 2, 4}, 34), drawn_as("a single number", {}, 37)};
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
    if (differ(mine, right))
      return fmt::format("that of {} ⊙ {} is {}, not {}", factor, gradient.name, beside(mine, right), beside(right, mine));
  }
  return "";
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
  return {value,
          array_of("dL/da", first[0]),
          array_of("dL/db", first[1]),
          array_of("2nd a", second[0]),
          array_of("2nd b", second[1]),
          number("op times", own ? 1 : 0)};
}

Tensor recorded(const Tensor& a, const Tensor& b) {
  return record(
      "times", a.detach() * b.detach(), {a, b}, [](const Step& step) { return step.grad * step.input(1); },
      [](const Step& step) { return step.grad * step.input(0); });
}

std::string value_is_the_product(const Probe& p, const Outputs& outputs) {
  for (std::size_t i = 0; i < outputs[0].numbers.size(); ++i) {
    const double y = outputs[0].numbers[i], a = p["a"].numbers[i], b = p["b"].numbers[i];
    if (differ(y, a * b)) return fmt::format("{:.4g} and {:.4g} give {:.4g}", a, b, y);
  }
  return "";
}

Outputs op_right(const Probe& p) { return walked(recorded, p); }

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
  using namespace in_rule_mul;
  return made_rule_mul::exercise({
      {
          .right = rule_right,
          .probes = rule_probes(),
          .laws = {{"each factor times its gradient has the same sum as g ⊙ y", longer_by_one_percent,
                    "Which factor does the gradient of each one get?"}},
      },
      {
          .right = square_right,
          .probes = square_probes(),
          .laws = {{"the sum of x ⊙ dL/dx is twice that of g ⊙ y", grows_by_two_percent,
                    "x stands in the product twice. How many terms has its gradient?"}},
      },
      {
          .right = op_right,
          .probes = rule_probes(),
          .laws = {{"the value is the product", value_is_the_product, "What does your forward compute?"},
                   {"each factor times its gradient has the same sum as g ⊙ y", longer_by_one_percent,
                    "Which factor does the gradient of each one get?"}},
      },
  });
}

}  // namespace gradus::exercises::set
