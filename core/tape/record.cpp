#include "core/tape/record.h"

#include <algorithm>

#include "core/tape/anomaly.h"
#include "core/tensor/forward_watcher.h"

namespace gradus {
namespace {

class JointNode final : public Node {
 public:
  JointNode(const char* name, const Tensor& output, std::span<const Tensor> inputs, JointRule rule)
      : Node(name, output, inputs), rule_(std::move(rule)) {}

  void backward(const Backward& s, std::span<Gradient> gradients) const override {
    Tensors found = rule_(s);
    check<GraphError>(found.size() == gradients.size(), "{}: the backward rule gave {} gradients for {} inputs", name(),
                      found.size(), gradients.size());
    std::move(found.begin(), found.end(), gradients.begin());
  }

 private:
  JointRule rule_;
};

}  // namespace

bool wants_node(const char* name, const Tensor& value, std::span<const Tensor> inputs, std::size_t rules) {
  check<ValueError>(name != nullptr, "record: the op has no name");
  check_defined(name, {{"the recorded value", value}});
  check<GraphError>(!value.requires_grad(),
                    "{}: the recorded value is on the tape already, and that way back would be lost; compute it under NoGrad, "
                    "or detach() it", name);
  check<GraphError>(rules <= inputs.size(), "{}: {} rules for {} inputs", name, rules, inputs.size());
  for (std::size_t i = rules; i < inputs.size(); ++i) {
    check<GraphError>(!inputs[i].defined() || !is_floating(inputs[i].dtype()),
                      "{}: {} inputs, but {} rules: input {} would silently get no gradient; give it a rule, or nullptr "
                      "where it is zero", name, inputs.size(), rules, i);
  }
  if (anomaly_enabled()) check_forward(name, value, inputs);
  const bool wanted = grad_enabled() && is_floating(value.dtype()) &&
                      std::any_of(inputs.begin(), inputs.end(),
                                  [](const Tensor& x) { return x.defined() && x.requires_grad(); });
  if (ForwardWatcher* watcher = ForwardWatch::current()) watcher->made(name, value, inputs, wanted);
  return wanted;
}

Tensor constant(const char* name, Tensor value, std::initializer_list<Tensor> inputs) {
  if (ForwardWatcher* watcher = ForwardWatch::current()) watcher->made(name, value, {inputs.begin(), inputs.size()}, false);
  return value;
}

Tensor record_joint(const char* name, Tensor value, const Tensors& inputs, JointRule rule) {
  check<ValueError>(rule != nullptr, "{}: the backward rule is an empty function", name);
  if (wants_node(name, value, inputs, inputs.size())) {
    value.set_node(std::make_unique<JointNode>(name, value, inputs, std::move(rule)));
  }
  return value;
}

}  // namespace gradus
