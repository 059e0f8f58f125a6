#include "examples/exercises/set/rule_broadcast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/core.h"
#include "examples/exercises/set/set.h"

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
  return std::abs(mine - right) > 1e-9 * (1 + std::abs(right)) ? fmt::format("{} is {}, not {}", what, beside(mine, right), beside(right, mine)) : "";
}

// --- summed_to ----------------------------------------------------------------------------------------------
enum Wrong { kept, mean_for_sum, first_use, last_use, leading_only, ones_only, one_axis_only, axis_lost, aligned_left, of_all, aligned_left_by_size,
             of_the_input, shifting, empty_is_all, always_first };

// The axes of g over which it is summed, for an input of this shape.
Axes summed_axes(const Shape& g, const Shape& shape, Made made) {
  const int missing = g.rank() - shape.rank();
  Axes axes;
  if (made[always_first]) return {0};
  for (int axis = 0; axis < g.rank(); ++axis) {
    const int of_input = made[aligned_left] || made[aligned_left_by_size] ? axis : axis - missing;
    const bool is_missing = of_input < 0 || of_input >= shape.rank();
    const bool is_one = !is_missing && (made[aligned_left_by_size] ? shape[of_input] != g[axis] : shape[of_input] == 1);
    const int named = made[of_the_input] && !is_missing ? of_input : axis;
    const bool is_new = std::count(axes.begin(), axes.end(), named) == 0;
    if (is_new && ((is_missing && !made[ones_only]) || (is_one && !made[leading_only]))) axes.push_back(named);
  }
  if (made[one_axis_only] && axes.size() > 1) axes.resize(1);
  return made[kept] ? Axes() : axes;
}

Tensor summed_with(const Tensor& g, const Shape& shape, Made made) {
  if (made[of_all]) return expand(made[mean_for_sum] ? mean(g) : sum(g), shape);
  Tensor sums = g;
  const Axes axes = summed_axes(g.shape(), shape, made);
  if (made[empty_is_all] && axes.empty()) return sum(g);
  if (made[shifting]) {
    for (int axis : axes) sums = sum(sums, axis);
    return sums.numel() == shape.numel() ? reshape(sums, shape) : sums;
  }
  for (int axis : axes) {
    sums = made[first_use] ? slice(sums, axis, 0, 1) : made[last_use] ? slice(sums, axis, -1) : sum(sums, axis, true);
    if (made[mean_for_sum]) sums = sums / static_cast<double>(g.size(axis));
  }
  Shape left;
  for (int axis = 0; axis < g.rank(); ++axis) {
    if (std::count(axes.begin(), axes.end(), axis) == 0) left.push_back(sums.size(axis));
  }
  return reshape(sums, sums.numel() == shape.numel() && !made[axis_lost] ? shape : left);
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

Stage summed_stage() {
  return {
      .function = "summed_to",
      .right = summed_right,
      .with = [](const Probe& p, Made made) { return summed_outputs(summed_with(tensor_of(p["g"]), shape_of(p["shape"]), made), p); },
      .mistakes =
          {
              {kept, "op/broadcast-not-summed", "What shape must the gradient of a [3] have?", "the gradient keeps the shape to which the input was repeated",
               "nd4j#2424, pytorch#1787, burn#181, tt-metal#40008"},
              {mean_for_sum, "op/mean-for-sum", "Do gradients of several uses add up, or average?", "gradients of several uses are averaged"},
              {first_use, "op/first-use-only", "How many numbers of y use one number of the input?", "the gradient of the first use alone"},
              {last_use, "op/last-use-only", "What becomes of the gradient that came before?", "the gradient of each use replaces the one before"},
              {leading_only, "op/missing-axes-only", "Is a size of 1 repeated, too?", "only missing axes are summed, not those of size 1"},
              {ones_only, "op/ones-only", "An input of [3], repeated to [2, 3]: along which axis?", "only axes of size 1 are summed, not missing ones"},
              {one_axis_only, "op/one-axis-only", "Along how many axes may an input be repeated?", "only the first of several axes is summed"},
              {axis_lost, "op/axis-of-1-lost", "What shape must the gradient of a [2, 1] have?", "a summed axis is dropped where the input has it with size 1"},
              {aligned_left, "op/aligned-left", "From which end are two shapes laid side by side?", "the shapes are laid side by side from the first axis"},
              {of_all, "op/sum-of-all", "Which numbers of y use the second number of the input?", "each number gets the sum of all of g"},
              {aligned_left_by_size, "op/aligned-left", "From which end are two shapes laid side by side?"},
              {of_the_input, "op/axes-of-the-input", "g is [3, 2, 4], the input [2, 1]. Its axis of size 1 has the number 1: which one is that in g?",
               "the axes of size 1 are numbered as in the input, where g has missing ones before them"},
              {shifting, "op/axes-shift", "Axis 0 of [3, 2, 4] is summed and gone. Which number has the last axis now?",
               "one axis is summed after the other, and each that is gone moves those behind it"},
              {empty_is_all, "op/no-axes-are-all", "Nothing was repeated, so your list of axes is empty. What does sum make of an empty list?",
               "sum of no axes is the sum of all of g"},
              {always_first, "op/first-axis-alone", "An input of [2, 1], repeated to [2, 3]: along which axis?", "g is always summed over its first axis"},
          },
      .probes = summed_probes(),
      .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
               {"what is summed keeps its sum", [](const Probe& p, const Outputs& outputs) {
                  return differ("that of the gradient", sum_of(outputs[1]), sum_of(p["g"]));
                }, "Does each number of g come into one sum, once?"}},
      .throws = cannot_be_reshaped,
      .thrown = {{"out of range", "From which end are two shapes laid side by side, and how many axes has the shorter one?"},
                 {"cannot turn", kShapeQuestion}},
      .hints = {"A [3] is added to two rows of 3. Its first number grows by 0.1: which numbers of the result move?",
                "Find the axes first. An axis of g was made by repeating if the input lacks it, or has it with size 1. The last axes of both belong together.",
                "Each use counts, so gradients of several uses are added; and a gradient has the shape of its input.",
                "Axis k of g belongs to axis k − (rank of g − rank of the input). Where there is none, or its size is 1: sum. Then reshape; nothing to sum is no sum."},
  };
}

// --- mul_rule -----------------------------------------------------------------------------------------------
enum WrongMul { both_kept, a_kept, b_kept, mul_mean, summed_early, own_factors, factor_missing, g_missing, shapes_exchanged };

Outputs mul_outputs(const Tensor& da, const Tensor& db, const Probe& p) {
  Outputs outputs;
  append(outputs, "a", da, tensor_of(p["a"]).shape());
  append(outputs, "b", db, tensor_of(p["b"]).shape());
  return outputs;
}

Tensor mul_rule_of(const Tensor& given, const Tensor& x, const Tensor& other, bool unsummed, Made made) {
  const Tensor g = made[g_missing] ? ones_like(given) : given, factor = made[own_factors] ? x : other;
  const Tensor arrived = made[summed_early] ? sum_to(g, x.shape()) : g;
  const Tensor product = made[factor_missing] ? arrived : arrived * factor;
  if (unsummed) return made[summed_early] ? product : expand(product, given.shape());
  const Tensor sums = sum_to(product, made[shapes_exchanged] ? other.shape() : x.shape());
  return made[mul_mean] ? sums * (static_cast<double>(x.numel()) / static_cast<double>(given.numel())) : sums;
}

Outputs mul_with(const Probe& p, Made made) {
  const Tensor g = tensor_of(p["g"]), a = tensor_of(p["a"]), b = tensor_of(p["b"]);
  return mul_outputs(mul_rule_of(g, a, b, made[both_kept] || made[a_kept], made),
                     mul_rule_of(g, b, a, made[both_kept] || made[b_kept], made), p);
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

Stage mul_stage() {
  return {
      .function = "mul_rule",
      .right = mul_right,
      .with = mul_with,
      .mistakes =
          {
              {both_kept, "op/broadcast-not-summed", "What shape must the gradient of a [3] have? And which comes last: the product, or the sum?"},
              {a_kept, "op/a-not-summed", "May a be repeated, too? Then which comes last: the product, or the sum?", "dL/da has the shape to which a was repeated"},
              {b_kept, "op/b-not-summed", "May b be repeated, too? Then which comes last: the product, or the sum?", "dL/db has the shape to which b was repeated"},
              {mul_mean, "op/mean-for-sum", "Do gradients of several uses add up, or average?"},
              {summed_early, "op/summed-too-early", "y_1 = 10 a_1 and y_2 = 20 a_1: what does a_1 get, if 1 arrives at y_1 and 2 at y_2?",
               "what arrives is summed first and multiplied then: a product of sums in place of a sum of products"},
              {own_factors, "op/own-factors", "b is 4. Make a larger by 0.1: how far does y move?", "each factor gets what arrives times itself"},
              {factor_missing, "op/factor-missing", "b is 4. Make a larger by 0.1: how far does y move?", "both get what arrives as it is, as in a sum"},
              {g_missing, "op/g-missing", "y moves by 4: how far does the loss move?", "the slopes of y, without what arrives at y"},
              {shapes_exchanged, "op/shapes-exchanged", "Whose shape has dL/da: that of a, or that of the factor that you multiply by?", "each gradient is summed to the shape of the other factor"},
          },
      .probes = mul_probes(),
      .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
               {"each factor times its gradient has the same sum as g ⊙ y", factors_share_a_sum, "Which factor does the gradient of each one get, and over which axes is it summed?"}},
      .throws = cannot_be_reshaped,
      .thrown = {{"cannot turn", kShapeQuestion}},
      .hints = {"b is a [3] and meets two rows of a. How many products does its first number enter?",
                "First the product, in the shape of y. What shape has it, and what shape is wanted?",
                "A factor's gradient is made as if nothing were repeated, and is then summed to its own shape.",
                "dL/db_j = Σ_s g_sj a_sj for a b that is repeated along s. sum_to does the Σ."},
  };
}

// --- sum_rule -----------------------------------------------------------------------------------------------
enum WrongSum { repeated_before, repeated_behind, divided, multiplied, first_only, not_repeated, total, sum_g_missing, g_unchanged, one_axis };

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

Tensor sum_rule_with(const Tensor& given, const Shape& shape, const Axes& axes, Made made) {
  const double n = static_cast<double>(count_along(shape, axes));
  Tensor g = made[sum_g_missing] ? ones_like(given) : given;
  if (made[total]) g = expand(sum(g), g.shape());
  g = g * (made[divided] ? 1 / n : 1) * (made[multiplied] ? n : 1);
  const Shape left = reduced_shape(shape, axes, true);
  if (made[not_repeated]) return reshape(g, left);
  if (made[first_only]) {
    Padding padding;
    for (int axis = 0; axis < shape.rank(); ++axis) padding.push_back({0, shape[axis] - left[axis]});
    return pad(reshape(g, left), padding);
  }
  if (made[g_unchanged]) return g;
  if (made[one_axis]) return axes.size() == 1 ? expand(reshape(g, left), shape) : g;
  if (made[repeated_behind]) g = reshape(g, g.shape().concat(std::vector<int64_t>(axes.size(), 1)));
  if (made[repeated_before] || made[repeated_behind]) return broadcasts_to(g.shape(), shape) ? expand(g, shape) : g;
  return expand(reshape(g, left), shape);
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

Stage sum_stage() {
  return {
      .function = "sum_rule",
      .right = sum_right,
      .with = [](const Probe& p, Made made) {
        return sum_outputs(sum_rule_with(tensor_of(p["g"]), shape_of(p["shape"]), axes_in(p), made), p);
      },
      .mistakes =
          {
              {repeated_before, "op/sum-axes-restored-wrong", "Where was the axis that is gone: first, last, or between?",
               "g is repeated along a new first axis, not along the one that is gone", "harvard-edge/cs249r_book PR1867"},
              {repeated_behind, "op/repeated-behind", "Where was the axis that is gone: first, last, or between?", "g is repeated along a new last axis, not along the one that is gone"},
              {divided, "op/sum-as-mean", "One number grows by 0.1. How far does the sum move?", "g is divided by how many numbers were summed: the rule of a mean"},
              {multiplied, "op/sum-counted-again", "One number grows by 0.1. How far does the sum move?", "g is multiplied by how many numbers were summed"},
              {first_only, "op/sum-first-only", "Which numbers of a row move its sum?", "only the first of the numbers that were summed gets anything"},
              {not_repeated, "op/sum-not-repeated", "How many numbers are in x, and how many in your gradient?", "g is not repeated: the gradient has a size of 1 where x has more"},
              {g_unchanged, "op/sum-not-repeated", "How many numbers are in x, and how many in your gradient?"},
              {one_axis, "op/one-axis-restored", "Along how many axes may x be summed?", "only the first of the axes that are gone is put back"},
              {total, "op/sum-of-g", "Which sums does one number of x enter?", "each number gets the sum of all of g"},
              {sum_g_missing, "op/sum-without-g", "y moves by 4: how far does the loss move?", "ones, without what arrives at y"},
          },
      .probes = sum_probes(),
      .laws = {{kShapeLaw, [](const Probe&, const Outputs& outputs) { return shape_is_the_inputs(outputs); }, kShapeQuestion},
               {"the gradient's sum is that of g, times how many numbers went into each sum", each_is_handed_on_whole, "How much of g does each number get that went into a sum?"}},
      .hints = {"A row of x is summed, and one of its numbers grows by 0.1. How far does the sum move?",
                "g lacks the axes that were summed. Where in the shape did they stand?",
                "A sum hands to each of its terms what arrives, whole.",
                "For y_s = Σ_i x_si it is dL/dx_si = g_s: put the axes back with size 1, and repeat along them."},
  };
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
  return {
      .number = 2,
      .id = "rule-broadcast",
      .title = "the rules of what is repeated, and of a sum",
      .section = "ch00.md#op-add",
      .needs = {"rule-mul"},
      .minutes = 30,
      .done = "Repeating and summing are each other's way back. The shape of a gradient says which of them is needed, and where.",
      .stages = {in_rule_broadcast::summed_stage(), in_rule_broadcast::mul_stage(), in_rule_broadcast::sum_stage()},
      .also = {"ch00.md#op-sum"},
  };
}

}  // namespace gradus::exercises::set
