#include "core/tape/check_rule.h"

#include <exception>
#include <new>
#include <string_view>

#include "core/kernels/check_operands.h"

namespace gradus {

void check_value(const char* name, const Tensor& value) {
  check<ValueError>(name != nullptr, "record: the op has no name");
  check_defined({{"the recorded value", value}}, name);
}

void check_recorded(const char* name, const Tensor& output, std::span<const Tensor> inputs, std::size_t rules) {
  check<GraphError>(
      !output.requires_grad(),
      "{}: the recorded value is on the tape already, and that way back would be lost; compute it under NoGrad, or detach() it", name);
  check<GraphError>(rules <= inputs.size(), "{}: {} rules for {} inputs", name, rules, inputs.size());
  for (std::size_t i = rules; i < inputs.size(); ++i) {
    check<GraphError>(!inputs[i].defined() || !is_floating(inputs[i].dtype()),
                      "{}: {} inputs, but {} rules: input {} would silently get no gradient; give it a rule, or nullptr where it is zero",
                      name, inputs.size(), rules, i);
  }
  for (const Tensor& input : inputs) {
    if (!input.defined()) continue;
    check<GraphError>(!input.requires_grad() || input.number() < output.number(),
                      "{}: the recorded value (shape {}) is not newer than its input (shape {}); make it from its inputs, in their thread",
                      name, output.shape(), input.shape());
  }
}

RunningRule::RunningRule(const Node& node, const Tensor& grad) : node_(node), grad_(grad), version_(grad.version()) {
  gradus::check<GraphError>(!node.running_, "{}: its rule walks the graph that it is part of", node.name());
  node.running_ = 1;
}

void RunningRule::rethrow() const {
  const auto named = [op = node_.name()](const std::string_view message) {
    const bool says_so = message.starts_with(fmt::format("{}: ", op)) || message.starts_with("backward of ");
    return says_so ? std::string(message) : fmt::format("backward of {}: {}", op, message);
  };
  try {
    throw;
  } catch (const Error&) {
    gradus::rethrow(named);
  } catch (const std::bad_alloc&) {
    throw MemoryError(named("no memory"));
  } catch (const std::exception& error) {
    std::throw_with_nested(GraphError(named(error.what())));
  }
}

// Unless x has these rows.
static void check_rows(const Gradient& rows, const Tensor& x, OpName op) {
  const int axis = normalize_axis(rows.axis, x, op);
  check<ShapeError>(rows.indices.rank() == 1, "{}: the backward rule gave indices of shape {}, not a vector", op, rows.indices.shape());
  Shape expected = x.shape();
  expected[axis] = rows.indices.numel();
  check<ShapeError>(rows.values.shape() == expected, "{}: the backward rule gave rows of shape {}, expected {}", op, rows.values.shape(),
                    expected);
  check_indices(rows.indices, x.size(axis), op);
}

void RunningRule::check(std::span<const Gradient> gradients) const {
  const char* op = node_.name();
  gradus::check<GraphError>(grad_.version() == version_,
                            "{}: the backward rule changed dL/dy in place, which others may hold; let it change a detached_copy()", op);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Tensor& values = gradients[i].values;
    if (!values.defined()) continue;
    const Tensor& input = node_.input(i);
    gradus::check<DTypeError>(values.dtype() == input.dtype(), "{}: the backward rule gave {} for an input of {}", op, values.dtype(),
                              input.dtype());
    if (gradients[i].by_rows()) check_rows(gradients[i], input, op);
    else
      gradus::check<ShapeError>(broadcasts_to(input.shape(), values.shape()),
                                "{}: the backward rule gave shape {} for an input of shape {}", op, values.shape(), input.shape());
  }
}

}  // namespace gradus
