#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/rule_broadcast.h"

namespace gradus::exercises::set {
namespace in_rule_broadcast {
namespace {

constexpr int kRank = 4;  // of the largest probe

Shape shape_of(const Array& array) {
  Shape shape;
  for (double size : array.numbers) shape.push_back(static_cast<int64_t>(size));
  return shape;
}

Array as_array(const std::string& name, const Shape& shape) {
  return array(name, {shape.rank()}, std::vector<double>(shape.begin(), shape.end()));
}

// A gradient's shape, and its numbers if that is right: zeros if not.
void append(Outputs& outputs, const std::string& of, const Tensor& gradient, const Shape& shape) {
  if (!gradient.defined()) throw WrongShape{"dL/d" + of, "of an undefined tensor", shape.str()};
  checked("dL/d" + of, gradient, array_of("", gradient).shape);  // f64
  Array sizes = array("shape of dL/d" + of, {kRank}, std::vector<double>(kRank, 0));
  for (int axis = 1; axis <= std::min(gradient.rank(), kRank); ++axis) {
    sizes.numbers[kRank - axis] = static_cast<double>(gradient.size(-axis));
  }
  outputs.push_back(sizes);
  outputs.push_back(array_of("dL/d" + of, gradient.shape() == shape ? gradient : zeros(shape, DType::f64)));
}

// As it is read by people: [2, 3].
std::string sizes_in(const Array& sizes) {
  Shape shape;
  for (double size : sizes.numbers) {
    if (size > 0) shape.push_back(static_cast<int64_t>(size));
  }
  return shape.str();
}

std::string shape_is_the_inputs(const Outputs& outputs) {
  for (std::size_t i = 0; i < outputs.size(); i += 2) {
    Shape shape;
    for (int size : outputs[i + 1].shape) shape.push_back(size);
    const std::string mine = sizes_in(outputs[i]);
    if (mine == shape.str()) continue;
    return fmt::format("{} has {} for {}", outputs[i + 1].name, mine, shape.str());
  }
  return "";
}

// Does reshape throw this at a gradient of one of these wrong shapes?
bool cannot_be_reshaped(const Probe&, const Outputs& wrong, const std::string& thrown) {
  for (std::size_t i = 0; i < wrong.size(); i += 2) {
    double elements = 1;
    for (double size : wrong[i].numbers) elements *= std::max(size, 1.0);
    if (thrown.find(fmt::format("({:.0f} elements) into", elements)) != std::string::npos) return true;
  }
  return false;
}

const char* const kShapeLaw = "a gradient has the shape of its input";
const char* const kShapeQuestion = "Over which axes was the input stretched, and which of them does it have itself?";

double sum_of(const Array& array) {
  double sum = 0;
  for (double value : array.numbers) sum += value;
  return sum;
}

std::string differ(const std::string& what, double mine, double right) {
  return std::abs(mine - right) > 1e-9 * (1 + std::abs(right))
             ? fmt::format("{} is {}, not {}", what, beside(mine, right), beside(right, mine))
             : "";
}

Outputs summed_outputs(const Tensor& gradient, const Probe& p) {
  Outputs outputs;
  append(outputs, "x", gradient, shape_of(p["shape"]));
  return outputs;
}

Outputs summed_right(const Probe& p) {
  const Tensor g = tensor_of(p["g"]), x = zeros(shape_of(p["shape"]), DType::f64).set_requires_grad();
  return summed_outputs(grad({x + zeros_like(g)}, {x}, {.seeds = {g}})[0], p);
}

std::vector<Probe> summed_probes() {
  std::vector<Probe> probes;
  const auto add = [&](const std::vector<int>& g, const Shape& shape) {
    probes.push_back({fmt::format("g of [{}], for an input of {}", fmt::join(g, ", "), shape.str()),
                      {drawn("g", g, 51 + probes.size(), 1, 0.4), as_array("shape", shape)}});
  };
  add({2, 3}, {3});
  probes[0].inputs[0].numbers = {1, 0, 2, 3, -1, 4};  // the chapter's
  add({2, 3}, {2, 1});
  add({3, 2, 4}, {2, 1});
  add({3, 2, 4}, {1, 2, 1});
  add({3, 2, 4}, {4});
  add({4, 4}, {4});
  add({5, 2}, {5, 2});
  add({5, 4, 2, 3}, {4, 1, 3});
  add({3, 2, 4}, {});
  return probes;
}

Outputs mul_outputs(const Tensor& da, const Tensor& db, const Probe& p) {
  Outputs outputs;
  append(outputs, "a", da, tensor_of(p["a"]).shape());
  append(outputs, "b", db, tensor_of(p["b"]).shape());
  return outputs;
}

Outputs mul_right(const Probe& p) {
  const Tensor a = tensor_of(p["a"]).set_requires_grad(), b = tensor_of(p["b"]).set_requires_grad();
  const Tensors grads = grad({a * b}, {a, b}, {.seeds = {tensor_of(p["g"])}});
  return mul_outputs(grads[0], grads[1], p);
}

std::vector<Probe> mul_probes() {
  std::vector<Probe> probes;
  const auto add = [&](const std::vector<int>& g, const std::vector<int>& a, const std::vector<int>& b) {
    const std::uint64_t seed = 71 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}], b of [{}]", fmt::join(a, ", "), fmt::join(b, ", ")),
                      {drawn("g", g, seed), drawn("a", a, seed + 1, 1, 0.5), drawn("b", b, seed + 2, 2, -0.3)}});
  };
  add({2, 3}, {2, 3}, {3});
  probes[0].inputs = {array("g", {2, 3}, {1, 0, 2, 3, -1, 4}), array("a", {2, 3}, {1, 2, 3, 4, 5, 6}), array("b", {3}, {10, 20, 30})};
  add({2, 3}, {2, 1}, {2, 3});
  add({4, 3}, {4, 1}, {3});
  add({3, 2, 4}, {2, 1}, {3, 2, 4});
  add({3, 2, 4}, {3, 1, 4}, {2, 1});
  add({5, 2}, {5, 2}, {5, 2});
  add({3, 2, 4}, {3, 2, 4}, {});
  return probes;
}

std::string factors_share_a_sum(const Probe& p, const Outputs& outputs) {
  const double right = sum(tensor_of(p["g"]) * tensor_of(p["a"]) * tensor_of(p["b"])).item();
  for (const char* factor : {"a", "b"}) {
    const Array& gradient = outputs[factor == std::string("a") ? 1 : 3];
    const double mine = sum(tensor_of(gradient) * tensor_of(p[factor])).item();
    const std::string how = differ(fmt::format("that of {} ⊙ {}", factor, gradient.name), mine, right);
    if (!how.empty()) return how;
  }
  return "";
}

Axes axes_in(const Probe& p) {
  Axes axes;
  for (double axis : p["axes"].numbers) axes.push_back(static_cast<int>(axis));
  return axes;
}

Outputs sum_outputs(const Tensor& gradient, const Probe& p) {
  Outputs outputs;
  append(outputs, "x", gradient, shape_of(p["shape"]));
  return outputs;
}

Outputs sum_right(const Probe& p) {
  const Tensor x = zeros(shape_of(p["shape"]), DType::f64).set_requires_grad();
  return sum_outputs(grad({sum(x, axes_in(p))}, {x}, {.seeds = {tensor_of(p["g"])}})[0], p);
}

std::vector<Probe> sum_probes() {
  std::vector<Probe> probes;
  const auto add = [&](const Shape& shape, const std::vector<int>& axes) {
    Axes sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> left;
    for (int64_t size : reduced_shape(shape, sorted, false)) left.push_back(static_cast<int>(size));
    const bool one = axes.size() == 1;
    probes.push_back({fmt::format("x of {}, summed along {} {}", shape.str(), one ? "axis" : "axes", fmt::join(axes, ", ")),
                      {drawn("g", left, 101 + probes.size(), 1, 0.4), as_array("shape", shape),
                       array("axes", {static_cast<int>(axes.size())}, std::vector<double>(axes.begin(), axes.end()))}});
  };
  add({2, 3}, {1});
  probes[0].inputs[0].numbers = {2, -1};  // the chapter's
  add({2, 3}, {0});
  add({3, 2, 4}, {1});
  add({3, 2, 4}, {2, 0});
  add({4, 2, 5, 3}, {1, 2});
  add({4, 2, 5, 3}, {0, 2});
  add({3, 3, 3}, {1});
  add({3, 2, 4}, {0, 1, 2});
  return probes;
}

std::string each_is_handed_on_whole(const Probe& p, const Outputs& outputs) {
  const double n = static_cast<double>(count_along(shape_of(p["shape"]), axes_in(p)));
  return differ("that of the gradient", sum_of(outputs[1]), n * sum_of(p["g"]));
}

}  // namespace
}  // namespace in_rule_broadcast

Functions rule_broadcast(Tensor (*summed_to)(const Tensor&, const Shape&),
                         std::pair<Tensor, Tensor> (*mul_rule)(const Tensor&, const Tensor&, const Tensor&),
                         Tensor (*sum_rule)(const Tensor&, const Shape&, const Axes&)) {
  return {[=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]);
            const Tensor gradient = summed_to(g, in_rule_broadcast::shape_of(p["shape"]));
            check_unchanged(p, "g", g);
            return in_rule_broadcast::summed_outputs(gradient, p);
          },
          [=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]), a = tensor_of(p["a"]), b = tensor_of(p["b"]);
            const auto [da, db] = mul_rule(g, a, b);
            check_unchanged(p, "g", g);
            check_unchanged(p, "a", a);
            check_unchanged(p, "b", b);
            return in_rule_broadcast::mul_outputs(da, db, p);
          },
          [=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]);
            const Tensor gradient = sum_rule(g, in_rule_broadcast::shape_of(p["shape"]), in_rule_broadcast::axes_in(p));
            check_unchanged(p, "g", g);
            return in_rule_broadcast::sum_outputs(gradient, p);
          }};
}

Exercise rule_broadcast_exercise() {
  using namespace in_rule_broadcast;
  return made_rule_broadcast::exercise({
      {
          .right = summed_right,
          .probes = summed_probes(),
          .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
                   {"what is summed keeps its sum",
                    [](const Probe& p, const Outputs& outputs) {
                      return differ("that of the gradient", sum_of(outputs[1]), sum_of(p["g"]));
                    },
                    "Does each number of g come into one sum, once?"}},
          .throws = cannot_be_reshaped,
          .thrown = {{"out of range", "From which end are two shapes laid side by side, and how many axes has the shorter one?"},
                     {"cannot turn", kShapeQuestion}},
      },
      {
          .right = mul_right,
          .probes = mul_probes(),
          .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
                   {"each factor times its gradient has the same sum as g ⊙ y", factors_share_a_sum,
                    "Which factor does the gradient of each one get, and over which axes is it summed?"}},
          .throws = cannot_be_reshaped,
          .thrown = {{"cannot turn", kShapeQuestion}},
      },
      {
          .right = sum_right,
          .probes = sum_probes(),
          .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
                   {"the gradient's sum is that of g, times how many numbers went into each sum", each_is_handed_on_whole,
                    "How much of g does each number get that went into a sum?"}},
      },
  });
}

}  // namespace gradus::exercises::set
