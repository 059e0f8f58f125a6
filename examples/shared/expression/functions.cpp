#include "examples/shared/expression/functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/composites/composites.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

using Function = ExpressionFunction;
using Args = const Tensors&;

// An axis, or a bound: a number that is no part of what is differentiated.
double plain(const Tensor& x, const char* what) {
  check<ValueError>(x.numel() == 1 && !x.requires_grad(), "{} must be a number, not a variable or an array", what);
  return x.item();
}

int axis_of(const Tensor& x) {
  const double axis = plain(x, "the axis");
  check<ValueError>(axis == std::floor(axis) && std::abs(axis) <= kMaxRank, "the axis must be a whole number, got {}", axis);
  return static_cast<int>(axis);
}

Function unary(const char* name, Tensor (*op)(const Tensor&)) {
  return {name, {"x"}, 1, [op](Args in) { return op(in[0]); }};
}

Function binary(const char* name, Tensor (*op)(const Tensor&, const Tensor&)) {
  return {name, {"a", "b"}, 2, [op](Args in) { return op(in[0], in[1]); }};
}

// Over one axis, or over all.
template <typename Op> Function reduction(const char* name, Op op) {
  return {name, {"x", "axis"}, 1, [op](Args in) { return op(in[0], in.size() > 1 ? Axes(axis_of(in[1])) : Axes()); }};
}

// Along one axis, the last if none is given.
template <typename Op> Function along(const char* name, Op op) {
  return {name, {"x", "axis"}, 1, [op](Args in) { return op(in[0], in.size() > 1 ? axis_of(in[1]) : -1); }};
}

Tensor on_last_axis(Tensor (*f)(const Tensor&), const Tensor& x, int axis) {
  if (normalize_axis(axis, x.rank(), "softmax") == x.rank() - 1) return f(x);
  return transpose(f(transpose(x, axis, -1)), axis, -1);
}

std::vector<Function> ops() {
  return {
      binary("add", add), binary("sub", sub), binary("mul", mul), binary("div", div),
      binary("pow", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(pow)),
      binary("maximum", maximum), binary("minimum", minimum),
      binary("matmul", [](const Tensor& a, const Tensor& b) { return matmul(a, b); }),
      binary("dot", dot), binary("outer", outer),
      unary("neg", neg), unary("square", square), unary("rsqrt", rsqrt), unary("abs", abs), unary("sign", sign),
      unary("exp", exp), unary("expm1", expm1), unary("log", log), unary("log1p", log1p), unary("sqrt", sqrt),
      unary("sin", sin), unary("cos", cos), unary("tanh", tanh), unary("sigmoid", sigmoid), unary("erf", erf),
      unary("relu", relu),
      binary("eq", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(eq)),
      binary("ne", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(ne)),
      binary("lt", lt), binary("le", le), binary("gt", gt), binary("ge", ge),
      {"where", {"mask", "a", "b"}, 3, [](Args in) { return where(in[0], in[1], in[2]); }},
      {"clamp", {"x", "low", "high"}, 3, [](Args in) { return clamp(in[0], plain(in[1], "low"), plain(in[2], "high")); }},
      reduction("sum", [](const Tensor& x, const Axes& axes) { return sum(x, axes); }),
      reduction("mean", [](const Tensor& x, const Axes& axes) { return mean(x, axes); }),
      reduction("centered", [](const Tensor& x, const Axes& axes) { return centered(x, axes); }),
      reduction("var", [](const Tensor& x, const Axes& axes) { return var(x, axes); }),
      reduction("std", [](const Tensor& x, const Axes& axes) { return stddev(x, axes); }),
      reduction("prod", [](const Tensor& x, const Axes& axes) { return prod(x, axes); }),
      reduction("max", [](const Tensor& x, const Axes& axes) { return max(x, axes); }),
      reduction("min", [](const Tensor& x, const Axes& axes) { return min(x, axes); }),
      reduction("logsumexp", [](const Tensor& x, const Axes& axes) { return logsumexp(x, axes); }),
      along("argmax", [](const Tensor& x, int axis) { return argmax(x, axis); }),
      along("argmin", [](const Tensor& x, int axis) { return argmin(x, axis); }),
      along("cumsum", [](const Tensor& x, int axis) { return cumsum(x, axis); }),
      along("softmax", [](const Tensor& x, int axis) { return on_last_axis(nn::softmax, x, axis); }),
      along("log_softmax", [](const Tensor& x, int axis) { return on_last_axis(nn::log_softmax, x, axis); }),
      unary("detach", [](const Tensor& x) { return x.detach(); }),
      unary("transpose", [](const Tensor& x) { return transpose(x); }),
      unary("flatten", [](const Tensor& x) { return flatten(x); }),
  };
}

}  // namespace

std::string ExpressionFunction::usage() const {
  const std::string whole = fmt::format("{}({})", name, fmt::join(parameters, ", "));
  return least == parameters.size() ? whole : whole + ", the last of which may be left out";
}

const std::vector<ExpressionFunction>& expression_functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> functions = ops();
    add_activations(functions);
    return functions;
  }();
  return all;
}

const ExpressionFunction* find_expression_function(const std::string& name) {
  const auto& all = expression_functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Function& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace gradus::examples
