#include "examples/support/step/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"
#include "examples/support/step/options.h"
#include "examples/support/step/words.h"

namespace gradus::examples {
namespace {

// A value is an expression without variables: 0.5, [1, 2], sqrt(2).
Tensor leaf_of(const std::string& name, const std::string& text, DType dtype) {
  try {
    const Tensor value = cast(evaluate(parse(text), {}, dtype).value, dtype);
    return value.detached_copy().set_requires_grad();
  } catch (const ExpressionError& error) {
    throw ValueError(fmt::format("--{}: {}", name, error.what()));
  }
}

}  // namespace

StepProblem::StepProblem(const StepOptions& options)
    : expression_(parse(options.expression)), texts_(options.values), dtype_(options.dtype), naive_(options.naive) {
  std::map<std::string, Tensor> variables;
  for (const int i : expression_.variables) {
    const std::string& name = expression_.terms[static_cast<std::size_t>(i)].name;
    leaves_.emplace_back(name, leaf_of(name, options.values.at(name), dtype_));
    variables.insert(leaves_.back());
  }
  loss_ = loss(variables, dtype_, result_);
  const std::size_t column = expression_.terms[static_cast<std::size_t>(expression_.value)].column;
  if (leaves_.empty()) {
    throw ExpressionError(expression_.text, column, "there is no variable, so nothing to differentiate by");
  }
  if (!loss_.requires_grad()) {
    throw ExpressionError(expression_.text, column, "the result has no gradient: it is a constant here");
  }
}

Tensor StepProblem::loss(const std::map<std::string, Tensor>& variables, DType dtype, Evaluated& evaluated) const {
  evaluated = evaluate(expression_, variables, dtype);
  return evaluated.value.numel() == 1 && evaluated.value.rank() == 0 ? evaluated.value : sum(evaluated.value);
}

inspect::Trace StepProblem::trace(bool create_graph) const {
  inspect::TraceOptions options{.title = title(), .create_graph = create_graph, .naive = naive_};
  options.names = leaves_;
  for (const auto& [name, tensor] : result_.names) options.names.emplace_back(name, tensor);
  return inspect::trace(loss_, options);
}

std::string StepProblem::title() const {
  std::string title = expression_.text;
  for (const auto& [name, leaf] : leaves_) title += fmt::format(", {} = {}", name, texts_.at(name));
  const Shape& shape = result_.value.shape();
  return shape.rank() == 0 ? title : title + fmt::format("; the result has shape {}, L is its sum", shape);
}

// Central differences, element by element.
std::vector<double> StepProblem::slopes(const std::string& name) const {
  const NoGrad off;
  std::map<std::string, Tensor> variables;
  for (const auto& [other, leaf] : leaves_) variables.emplace(other, cast(leaf, DType::f64).detached_copy());
  Evaluated evaluated;
  const Tensor at = variables.at(name);
  std::vector<double> values = to_vector(at), slopes;
  const auto loss_with = [&](std::size_t i, double x) {
    std::vector<double> moved = values;
    moved[i] = x;
    variables[name] = from_vector(moved, at.shape());
    return loss(variables, DType::f64, evaluated).item();
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double h = 1e-5 * std::max(1.0, std::abs(values[i])), above = values[i] + h, below = values[i] - h;
    slopes.push_back((loss_with(i, above) - loss_with(i, below)) / (above - below));
  }
  return slopes;
}

Lines StepProblem::differences(const inspect::Trace& trace) const {
  constexpr int64_t kMany = 64;
  const double tolerance = dtype_ == DType::f64 ? 1e-6 : dtype_ == DType::f32 ? 1e-3 : 3e-2;
  std::vector<Lines> rows;
  for (const auto& [name, leaf] : leaves_) {
    const auto visit = std::find_if(trace.walk.begin(), trace.walk.end(),
                                    [number = leaf.number()](const inspect::Visit& v) { return v.tensor == number; });
    if (visit == trace.walk.end()) continue;
    if (leaf.numel() > kMany) {
      rows.push_back({Line(fmt::format("  {}: left out, it has {} elements", name, leaf.numel()))});
      continue;
    }
    const std::vector<double>& gradient = visit->gradient.all;
    inspect::Values numeric{.shape = leaf.shape(), .all = slopes(name)};
    for (double& x : numeric.all) x = std::abs(x) < 1e-9 ? 0 : x;  // of rounding
    bool same = gradient.size() == numeric.all.size();
    for (std::size_t i = 0; same && i < gradient.size(); ++i) {
      same = std::abs(gradient[i] - numeric.all[i]) <= tolerance * std::max(1.0, std::abs(numeric.all[i]));
    }
    rows.push_back(
        {Line(fmt::format("  (L({0} + h) − L({0} − h)) / 2h =", name)), Line(Role::gradient, brief(numeric, 48)),
         same ? Line(Role::right, "✓") : Line(Role::wrong, "✗ not the gradient: a kink, a NaN, or too steep")});
  }
  Lines lines{Line(Role::heading, "The gradients by finite differences, in f64 with h = 10⁻⁵.")};
  for (const Line& line : aligned(rows, false)) lines.push_back(line);
  return lines;
}

}  // namespace gradus::examples
