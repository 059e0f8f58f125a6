// record: puts an op on the tape. An op is written in one place, as formula, forward and rule:
//
//   // y = a ⊙ b      dL/da = dL/dy ⊙ b      dL/db = dL/dy ⊙ a
//   Tensor mul(const Tensor& a, const Tensor& b) {
//     return record("mul", kernels::mul(a, b), {a, b},
//                   [](const Step& step) { return step.grad * step.input(1); },    // dL/da
//                   [](const Step& step) { return step.grad * step.input(0); });   // dL/db
//   }
//
// `step` is what a rule may read of this step of the walk: dL/dy, the op's inputs and its output. Rules are themselves made of
// differentiable ops, so derivatives of any order come free. A rule may ignore broadcasting: the engine sums its result
// back to the input's shape.
#pragma once

#include <initializer_list>

#include "core/tape/grad_mode.h"
#include "core/tape/node.h"

namespace gradus {

using Rule = std::function<Gradient(const Step&)>;      // from dL/dy to dL/dx of one input x; nullptr: it is zero
using JointRule = std::function<Tensors(const Step&)>;  // from dL/dy to dL/dx of all inputs; undefined: zero

// Returns `value`, on the tape if recording is on and any input requires a gradient. An absent input is undefined.
// One rule per input, called only when that gradient is wanted; i64 inputs that stand last need none. Whatever a rule
// reads and a caller could change, such as indices and masks, is an input, so that a change in place is noticed.
// What a rule throws comes out of the walk with the op's name: see Node::run.
// GraphError, when the op is recorded: if value is on the tape already; if it is older than an input that requires a gradient, as
// one from another thread may be; for more rules than inputs; and for a floating input without a rule.
template <typename... Rules>
Tensor record(const char* name, Tensor value, std::initializer_list<Tensor> inputs, Rules... rules);

// record for any number of inputs, with one rule that gives the gradients of all; it asks step.needs(i) which are wanted.
// ValueError if the rule is empty.
Tensor record_joint(const char* name, Tensor value, const Tensors& inputs, JointRule rule);

// Returns `value`, made by an op that has no derivative, such as a comparison: it stays off the tape. Observers learn of it.
Tensor constant(Tensor value, std::initializer_list<Tensor> inputs, OpName op = {});

// --- how ------------------------------------------------------------------------------------------------------
// Tells observers what was made. Is the op to be recorded?
bool wants_node(const char* name, const Tensor& value, std::span<const Tensor> inputs);

// #region inside-op-node
// An op with one rule for each of its first N inputs. (An int: gdb does not find the types of a class OpNode<2ul>.)
template <int N> class OpNode final : public Node {
 public:
  OpNode(const char* name, const Tensor& output, std::span<const Tensor> inputs, std::array<Rule, N> rules)
      : Node(name, output, inputs, N), rules_(std::move(rules)) {}

  void backward(const Step& step, std::span<Gradient> gradients) const override {
    for (std::size_t i = 0; i < N; ++i) {
      if (step.needs(i) && rules_[i]) gradients[i] = rules_[i](step);
    }
  }

 private:
  std::array<Rule, N> rules_;
};
// #endregion inside-op-node

// #region inside-record
template <typename... Rules>
Tensor record(const char* name, Tensor value, std::initializer_list<Tensor> given, Rules... rules) {
  static constexpr std::size_t count = sizeof...(Rules);
  const std::span<const Tensor> inputs(given.begin(), given.size());
  if (wants_node(name, value, inputs)) {
    value.set_node(std::make_unique<OpNode<count>>(name, value, inputs, std::array<Rule, count>{Rule(rules)...}));
  }
  return value;
}
// #endregion inside-record

}  // namespace gradus
