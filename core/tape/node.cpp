#include "core/tape/node.h"

namespace gradus {
namespace {
thread_local constinit int64_t live_count = 0;

// An input that is not what it was when the op was recorded. Out of line: needs() is asked for every input of every op.
[[noreturn, gnu::noinline]] void refuse_changed(const Node& node, std::size_t i, bool required_grad) {
  const Shape& shape = node.input(i).shape();
  check<GraphError>(required_grad, "{}: input {} (shape {}) came to require a gradient after it was recorded; call "
                    "set_requires_grad before", node.name(), i, shape);
  throw GraphError(fmt::format("{}: input {} was given another shape or dtype, {} of {}, after it was recorded; run backward "
                               "before set_data", node.name(), i, shape, node.input(i).dtype()));
}
}  // namespace

Node::Node(const char* name, const Tensor& output, std::span<const Tensor> inputs)
    : name_(name), output_version_(output.version()), input_count_(static_cast<std::uint32_t>(inputs.size())) {
  if (inputs.size() > two_.size()) many_ = std::make_unique<Saved[]>(inputs.size());
  Saved* next = many_ ? many_.get() : two_.data();
  for (const Tensor& input : inputs) {
    if (input.defined()) {
      check<GraphError>(!input.requires_grad() || input.number() < output.number(),
                        "{}: the recorded value (shape {}) is not newer than its input (shape {}); make it from its inputs, "
                        "in the thread that made them",
                        name, output.shape(), input.shape());
      *next = {input, input.version(), input.shape_changes(), input.requires_grad()};
    }
    ++next;
  }
  ++live_count;
}

Node::~Node() { --live_count; }

void Node::refuse_input(std::size_t i) const {
  throw GraphError(fmt::format("{}: there is no input {}, for the op has {}, counted from 0", name_, i, input_count_));
}

int64_t live_nodes() { return live_count; }

// #region inside-version
void Node::check_unchanged(const char* role, const Tensor& tensor, std::uint32_t version) const {
  check<GraphError>(!tensor.defined() || tensor.version() == version,
                    "{}: the {} (shape {}) was changed in place after it was recorded, but backward needs its old "
                    "value; change a copy, or run backward first, before optimizer.step()",
                    name_, role, tensor.defined() ? tensor.shape() : Shape{});
}

const Tensor& Backward::input(std::size_t i) const {
  const Node::Saved& saved = node_.saved(i);
  node_.check_unchanged("input", saved.tensor, saved.version);
  if (saved.tensor.defined() && saved.shape_changes != saved.tensor.shape_changes()) refuse_changed(node_, i, true);
  return saved.tensor;
}
// #endregion inside-version

const Tensor& Backward::output() const {
  node_.check_unchanged("output", output_, node_.output_version_);
  return output_;
}

std::size_t Backward::input_count() const { return node_.input_count(); }

const Shape& Backward::shape(std::size_t i) const {
  const Tensor& input = node_.input(i);
  check<GraphError>(input.defined(), "{}: input {} is absent, and has no shape", node_.name(), i);
  return input.shape();
}

bool Backward::needs(std::size_t i) const {
  const auto& [input, version, shape_changes, required_grad] = node_.saved(i);
  if (!input.defined() || !input.requires_grad() || input.number() < oldest_) return false;
  if (!required_grad || shape_changes != input.shape_changes()) refuse_changed(node_, i, required_grad);
  return true;
}

}  // namespace gradus
