#include "examples/step/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/composites/composites.h"
#include "core/inspect/tracer.h"
#include "examples/shared/expression/differences.h"
#include "examples/step/options.h"
#include "examples/step/words.h"

namespace gradus::examples {

using inspect::TracedTensor;

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
    : expression_(parse(options.expression)), texts_(options.values), dtype_(options.dtype) {
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
    std::string ops;
    for (const int cut : cuts(expression_, result_.terms)) ops += (ops.empty() ? "" : ", ") + written(expression_, cut);
    throw ExpressionError(expression_.text, column,
                          "the result has no gradient: " + (ops.empty() ? "it is a constant here" : "none passes through " + ops));
  }
}

Tensor StepProblem::loss(const std::map<std::string, Tensor>& variables, DType dtype, Evaluated& evaluated) const {
  evaluated = evaluate(expression_, variables, dtype);
  return evaluated.value.numel() == 1 && evaluated.value.rank() == 0 ? evaluated.value : sum(evaluated.value);
}

inspect::Trace StepProblem::trace(bool create_graph, bool naive) const {
  inspect::TraceOptions options{.title = title(), .create_graph = create_graph, .naive = naive};
  options.names = leaves_;
  for (const auto& [name, tensor] : result_.names) options.names.emplace_back(name, tensor);
  for (const int cut : cuts(expression_, result_.terms)) {
    options.names.emplace_back(written(expression_, cut), result_.terms[static_cast<std::size_t>(cut)]);
  }
  inspect::Trace trace = inspect::trace(loss_, options);
  add_cuts(trace);
  return trace;
}

// The tape ends where an op passes no gradient on, and knows nothing of what lies below: the expression does. These
// tensors join the trace: the op's result, a constant, and the leaves below it to which no other way leads.
void StepProblem::add_cuts(inspect::Trace& trace) const {
  using Kind = TracedTensor::Kind;
  constexpr std::int64_t kWhole = 64;
  inspect::Measure measure(kWhole, std::int64_t{64} << 20);
  const auto traced = [&](const Tensor& x, const std::string& name) -> TracedTensor& {
    auto at = std::lower_bound(trace.tensors.begin(), trace.tensors.end(), x.number(),
                               [](const TracedTensor& t, std::uint64_t number) { return t.number < number; });
    if (at != trace.tensors.end() && at->number == x.number()) return *at;
    trace.unreached.erase(std::remove(trace.unreached.begin(), trace.unreached.end(), name), trace.unreached.end());
    return *trace.tensors.insert(at, {.number = x.number(),
                                      .kind = x.requires_grad() ? Kind::leaf : Kind::constant,
                                      .name = name,
                                      .dtype = x.dtype(),
                                      .values = measure(x),
                                      .requires_grad = x.requires_grad()});
  };
  for (const int cut : cuts(expression_, result_.terms)) {
    const Tensor& result = result_.terms[static_cast<std::size_t>(cut)];
    traced(result, written(expression_, cut));
    std::vector<int> pending{cut};
    std::set<int> met;
    while (!pending.empty()) {
      const int term = pending.back();
      pending.pop_back();
      if (!met.insert(term).second) continue;
      const Term& below = expression_.terms[static_cast<std::size_t>(term)];
      pending.insert(pending.end(), below.operands.begin(), below.operands.end());
      const Tensor& x = result_.terms[static_cast<std::size_t>(term)];
      const bool visited =
          std::any_of(trace.walk.begin(), trace.walk.end(), [&](const inspect::Visit& visit) { return visit.tensor == x.number(); });
      if (below.kind == Term::Kind::variable && !visited) {
        traced(x, below.name).severed_by.push_back(result.number());
      }
    }
  }
}

std::string StepProblem::title() const {
  std::string title = expression_.text;
  for (const auto& [name, leaf] : leaves_) title += fmt::format(", {} = {}", name, texts_.at(name));
  const Shape& shape = result_.value.shape();
  return shape.rank() == 0 ? title : title + fmt::format("; the result has shape {}, L is its sum", shape);
}

std::vector<double> StepProblem::slopes(const std::string& name) const {
  std::map<std::string, Tensor> variables;
  for (const auto& [other, leaf] : leaves_) variables.emplace(other, cast(leaf, DType::f64).detached_copy());
  Evaluated evaluated;
  const auto loss_with = [&](const Tensor& moved) {
    variables[name] = moved;
    return loss(variables, DType::f64, evaluated).item();
  };
  return central_differences(loss_with, Tensor(variables.at(name)));
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
      rows.push_back({StyledLine(fmt::format("  {}: left out, it has {} elements", name, leaf.numel()))});
      continue;
    }
    const std::vector<double>& gradient = visit->gradient.all;
    inspect::Values numeric{.shape = leaf.shape(), .all = slopes(name)};
    for (double& x : numeric.all) x = std::abs(x) < 1e-9 ? 0 : x;  // of rounding
    bool same = gradient.size() == numeric.all.size();
    for (std::size_t i = 0; same && i < gradient.size(); ++i) {
      same = std::isfinite(numeric.all[i]) && std::abs(gradient[i] - numeric.all[i]) <= tolerance * std::max(1.0, std::abs(numeric.all[i]));
    }
    rows.push_back(
        {StyledLine(fmt::format("  (L({0} + h) − L({0} − h)) / 2h =", name)), StyledLine(Role::gradient, brief(numeric, 48)),
         same ? StyledLine(Role::right, "✓") : StyledLine(Role::wrong, "✗ not the gradient: a kink, a cut, a NaN, or too steep")});
  }
  Lines lines{StyledLine(Role::heading, "The gradients by finite differences, in f64 with h = 10⁻⁵.")};
  for (const StyledLine& line : aligned(rows, false)) lines.push_back(line);
  return lines;
}

}  // namespace gradus::examples
