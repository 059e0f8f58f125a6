#include <algorithm>
#include <set>

#include "examples/shared/expression/builders.h"
#include "nn/activation/activation_table.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

std::vector<Function> rarer_ops() {
  return {
      binary("dot", dot),
      binary("outer", outer),
      unary("rsqrt", rsqrt),
      unary("expm1", expm1),
      unary("log1p", log1p),
      unary("erf", erf),
      binary("eq", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(eq)),
      binary("ne", static_cast<Tensor (*)(const Tensor&, const Tensor&)>(ne)),
      binary("lt", lt),
      binary("le", le),
      binary("gt", gt),
      binary("ge", ge),
      {"where", {"mask", "a", "b"}, 3, [](Args in) { return where(in[0], in[1], in[2]); }},
      {"clamp", {"x", "low", "high"}, 3, [](Args in) { return clamp(in[0], plain(in[1], "low"), plain(in[2], "high")); }},
      reduction("centered", [](const Tensor& x, const Axes& axes) { return centered(x, axes); }),
      reduction("var", [](const Tensor& x, const Axes& axes) { return var(x, axes); }),
      reduction("std", [](const Tensor& x, const Axes& axes) { return stddev(x, axes); }),
      reduction("prod", [](const Tensor& x, const Axes& axes) { return prod(x, axes); }),
      reduction(
          "min", [](const Tensor& x, const Axes& axes) { return min(x, axes); }, "; the lesser of two is minimum(a, b)"),
      reduction("logsumexp", [](const Tensor& x, const Axes& axes) { return logsumexp(x, axes); }),
      along("argmax", [](const Tensor& x, int axis) { return argmax(x, axis); }),
      along("argmin", [](const Tensor& x, int axis) { return argmin(x, axis); }),
      along("cumsum", [](const Tensor& x, int axis) { return cumsum(x, axis); }),
      along("log_softmax", [](const Tensor& x, int axis) { return on_last_axis(nn::log_softmax, x, axis); }),
      unary("flatten", [](const Tensor& x) { return flatten(x); }),
  };
}

// Two that learn. To make them and see would move the numbers of all tensors that are made later.
const std::set<std::string> kLearned{"xielu", "poly_norm"};

// The activations of nn that have no parameters, and no other name yet.
void add_activations(std::vector<ExpressionFunction>& functions) {
  for (const auto& variant : nn::activations().variants) {
    std::string name(variant.name);
    std::replace(name.begin(), name.end(), '-', '_');
    const bool known = std::any_of(functions.begin(), functions.end(), [&](const ExpressionFunction& f) { return f.name == name; });
    if (known || kLearned.count(name) > 0) continue;
    const std::shared_ptr<nn::Layer> layer = variant.value();
    if (!layer->parameters().empty()) continue;
    functions.push_back({name, {"x"}, 1, [layer](const Tensors& in) { return (*layer)(in[0]); }});
  }
}

}  // namespace

void add_rarer(std::vector<ExpressionFunction>& functions) {
  for (const Function& one : rarer_ops()) functions.push_back(one);
  add_activations(functions);
}

}  // namespace gradus::examples
