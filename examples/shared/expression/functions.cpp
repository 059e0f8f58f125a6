#include "examples/shared/expression/functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "examples/shared/expression/builders.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

std::vector<Function> common_ops() {
  return {
      binary("add", add),
      binary("sub", sub),
      binary("mul", mul),
      binary("div", div),
      binary("pow", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(pow)),
      binary("maximum", maximum),
      binary("minimum", minimum),
      binary("matmul", [](const Tensor& a, const Tensor& b) { return matmul(a, b); }),
      unary("neg", neg),
      unary("square", square),
      unary("abs", abs),
      unary("sign", sign),
      unary("exp", exp),
      unary("log", log),
      unary("sqrt", sqrt),
      unary("sin", sin),
      unary("cos", cos),
      unary("tanh", tanh),
      unary("sigmoid", sigmoid),
      unary("relu", relu),
      reduction("sum", [](const Tensor& x, const Axes& axes) { return sum(x, axes); }),
      reduction("mean", [](const Tensor& x, const Axes& axes) { return mean(x, axes); }),
      reduction(
          "max", [](const Tensor& x, const Axes& axes) { return max(x, axes); }, "; the greater of two is maximum(a, b)"),
      along("softmax", [](const Tensor& x, int axis) { return on_last_axis(nn::softmax, x, axis); }),
      unary("detach", [](const Tensor& x) { return x.detach(); }),
      unary("transpose", [](const Tensor& x) { return transpose(x); }),
  };
}

}  // namespace

std::string ExpressionFunction::usage() const {
  const std::string whole = fmt::format("{}({})", name, fmt::join(parameters, ", "));
  return least == parameters.size() ? whole : whole + ", the last of which may be left out";
}

const std::vector<ExpressionFunction>& expression_functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> functions = common_ops();
    add_rarer(functions);
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
