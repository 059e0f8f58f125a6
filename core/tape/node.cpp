#include "core/tape/node.h"

#include "core/tape/check_rule.h"

namespace gradus {
namespace {
thread_local constinit int64_t nodes_alive = 0;
}  // namespace

Node::Node(const char* name, const Tensor& output, std::span<const Tensor> inputs, std::size_t rules)
    : name_(name), output_version_(output.version()), input_count_(static_cast<std::uint32_t>(inputs.size()) & INT32_MAX), running_(0) {
  check_recorded(name, output, inputs, rules);
  if (inputs.size() > two_.size()) many_ = std::make_unique<Saved[]>(inputs.size());
  Saved* next = many_ ? many_.get() : two_.data();
  for (const Tensor& input : inputs) {
    if (input.defined()) *next = {input, input.version(), input.requires_grad()};
    ++next;
  }
  ++nodes_alive;
}

Node::~Node() { --nodes_alive; }

void Node::refuse_input(std::size_t i) const {
  throw GraphError(fmt::format("{}: there is no input {}, for the op has {}, counted from 0", name_, i, input_count_));
}

int64_t live_nodes() { return nodes_alive; }

// #region inside-rule
void Node::run(const Step& step, std::vector<Gradient>& gradients) const {
  const RunningRule rule(*this, step.grad);
  gradients.assign(input_count_, Gradient());
  try {
    backward(step, gradients);
  } catch (...) {
    rule.rethrow();
  }
  rule.check(gradients);
}
// #endregion inside-rule

// #region inside-version
void Node::check_unchanged(const char* role, const Tensor& tensor, std::uint32_t version) const {
  check<GraphError>(!tensor.defined() || tensor.version() == version,
                    "{}: the {} (shape {}) was changed in place after it was "
                    "recorded, but backward needs its old value; change a copy, or run backward first, before optimizer.step()",
                    name_, role, tensor.defined() ? tensor.shape() : Shape{});
}

const Tensor& Step::input(std::size_t i) const {
  const Node::Saved& saved = node_.saved(i);
  node_.check_unchanged("input", saved.tensor, saved.version);
  return saved.tensor;
}
// #endregion inside-version

const Tensor& Step::output() const {
  node_.check_unchanged("output", output_, node_.output_version_);
  return output_;
}

std::size_t Step::input_count() const { return node_.input_count(); }

const Shape& Step::shape(std::size_t i) const {
  const Tensor& input = node_.input(i);
  check<GraphError>(input.defined(), "{}: input {} is absent, and has no shape", node_.name(), i);
  return input.shape();
}

bool Step::needs(std::size_t i) const {
  const auto& [input, version, required_grad] = node_.saved(i);
  if (!input.defined() || !input.requires_grad() || input.number() < oldest_) return false;
  check<GraphError>(required_grad,
                    "{}: input {} (shape {}) came to require a gradient after it was recorded; call set_requires_grad before", node_.name(),
                    i, input.shape());
  return true;
}

}  // namespace gradus
