#include "examples/support/step_problem.h"

#include <fmt/format.h>

#include "core/autograd/gradcheck.h"
#include "core/ops/ops.h"
#include "examples/support/step_options.h"

namespace gradus::examples {
namespace {

// A value is an expression without variables: 0.5, [1, 2], sqrt(2).
Tensor value_of(const std::string& name, const std::string& text, DType dtype) {
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
    leaves_.emplace_back(name, value_of(name, options.values.at(name), dtype_));
    variables.insert(leaves_.back());
  }
  loss_ = loss(variables, dtype_, result_);
  const std::size_t column = expression_.terms[static_cast<std::size_t>(expression_.value)].column;
  if (leaves_.empty()) throw ExpressionError(expression_.text, column, "there is no variable, so nothing to differentiate by");
  if (!loss_.requires_grad()) throw ExpressionError(expression_.text, column, "the result has no gradient: it is a constant here");
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
  return title;
}

std::string StepProblem::summed() const {
  const Shape& shape = result_.value.shape();
  return shape.rank() == 0 ? "" : fmt::format("The result has shape {}; L is the sum of its elements.", shape);
}

std::string StepProblem::differences() const {
  Tensors inputs;
  for (const auto& [name, leaf] : leaves_) inputs.push_back(value_of(name, texts_.at(name), DType::f64));
  const GradcheckReport report = gradcheck(
      [&](const Tensors& in) {
        std::map<std::string, Tensor> variables;
        for (std::size_t i = 0; i < in.size(); ++i) variables.emplace(leaves_[i].first, in[i]);
        Evaluated evaluated;
        return loss(variables, DType::f64, evaluated);
      },
      inputs);
  return report.text;
}

}  // namespace gradus::examples
