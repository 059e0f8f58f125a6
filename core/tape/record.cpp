#include "core/tape/record.h"

#include <algorithm>
#include <array>

#include "core/tape/anomaly.h"
#include "core/autograd/engine.h"

namespace gradus {
namespace {

class PairNode final : public Node {
 public:
  PairNode(const char* name, const Tensor& output, std::span<const Tensor> inputs, Rule first, Rule second)
      : Node(name, output, inputs), rules_{std::move(first), std::move(second)} {}

  void backward(const Backward& step, std::span<Tensor> gradients) const override {
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (step.needs(i) && rules_[i]) gradients[i] = rules_[i](step);
    }
  }

 private:
  std::array<Rule, 2> rules_;
};

class JointNode final : public Node {
 public:
  JointNode(const char* name, const Tensor& output, std::span<const Tensor> inputs, JointRule rule)
      : Node(name, output, inputs), rule_(std::move(rule)) {}

  void backward(const Backward& step, std::span<Tensor> gradients) const override {
    Tensors found = rule_(step);
    check<GraphError>(found.size() == gradients.size(), "{}: the backward rule gave {} gradients for {} inputs", name(),
                      found.size(), gradients.size());
    std::move(found.begin(), found.end(), gradients.begin());
  }

 private:
  JointRule rule_;
};

bool wants_node(const Tensor& value, std::span<const Tensor> inputs) {
  return grad_enabled() && is_floating(value.dtype()) &&
         std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) { return input.requires_grad(); });
}

// The same values under a new number, one step further on the tape.
Tensor alias(const Tensor& x) {
  return record("alias", x.detach(), {x}, [](const Backward& s) { return s.grad; });
}

Tensors differentiate_formula(const Formula& formula, const Backward& step) {
  Tensors aliases, wanted;
  for (std::size_t i = 0; i < step.node.input_count(); ++i) {
    const Tensor& input = step.input(i);
    aliases.push_back(is_floating(input.dtype()) ? alias(input) : input);
    if (step.needs(i)) wanted.push_back(aliases.back());
  }
  const Tensors found = grad({formula(aliases)}, wanted, {.seeds = {step.grad}, .create_graph = true, .allow_unused = true});
  Tensors gradients(aliases.size());
  for (std::size_t i = 0, next = 0; i < aliases.size(); ++i) {
    if (step.needs(i)) gradients[i] = found[next++];
  }
  return gradients;
}

}  // namespace

Tensor record(const char* name, Tensor value, std::initializer_list<Tensor> inputs, Rule first, Rule second) {
  const std::span<const Tensor> span(inputs.begin(), inputs.size());
  check<GraphError>(span.size() <= 2, "{}: {} inputs, but rules for two; use record_joint", name, span.size());
  if (anomaly_enabled()) check_forward(name, value, span);
  if (wants_node(value, span)) {
    value.set_node(std::make_unique<PairNode>(name, value, span, std::move(first), std::move(second)));
  }
  return value;
}

Tensor record_joint(const char* name, Tensor value, const Tensors& inputs, JointRule rule) {
  if (anomaly_enabled()) check_forward(name, value, inputs);
  if (wants_node(value, inputs)) value.set_node(std::make_unique<JointNode>(name, value, inputs, std::move(rule)));
  return value;
}

Tensor record_fused(const char* name, Tensor value, const Tensors& inputs, Formula formula, JointRule backward) {
  return record_joint(name, std::move(value), inputs,
                      [formula = std::move(formula), backward = std::move(backward)](const Backward& step) {
                        return grad_enabled() ? differentiate_formula(formula, step) : backward(step);
                      });
}

}  // namespace gradus
