#include "core/tape/record.h"

#include <algorithm>

#include "core/tape/check_rule.h"
#include "core/tensor/observer.h"

namespace gradus {
namespace {

class JointNode final : public Node {
 public:
  JointNode(const char* name, const Tensor& output, std::span<const Tensor> inputs, JointRule rule)
      : Node(name, output, inputs, inputs.size()), rule_(std::move(rule)) {}

  void backward(const Step& step, std::span<Gradient> gradients) const override {
    Tensors found = rule_(step);
    check<GraphError>(found.size() == gradients.size(), "{}: the backward rule gave {} gradients for {} inputs", name(), found.size(),
                      gradients.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (step.needs(i)) gradients[i] = std::move(found[i]);
    }
  }

 private:
  JointRule rule_;
};

}  // namespace

bool wants_node(const char* name, const Tensor& value, std::span<const Tensor> inputs) {
  check_value(name, value);
  const auto requires_grad = [](const Tensor& x) { return x.defined() && x.requires_grad(); };
  const bool wanted = grad_enabled() && is_floating(value.dtype()) && std::any_of(inputs.begin(), inputs.end(), requires_grad);
  tell(&Observer::made, name, value, inputs, wanted);
  return wanted;
}

Tensor constant(Tensor value, std::initializer_list<Tensor> inputs, OpName op) {
  tell(&Observer::made, op.name, value, std::span(inputs.begin(), inputs.size()), false);
  return value;
}

Tensor record_joint(const char* name, Tensor value, const Tensors& inputs, JointRule rule) {
  check<ValueError>(rule != nullptr, "{}: the backward rule is an empty function", name);
  if (wants_node(name, value, inputs)) {
    value.set_node(std::make_unique<JointNode>(name, value, inputs, std::move(rule)));
  }
  return value;
}

}  // namespace gradus
