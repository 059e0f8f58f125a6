// What the tape refuses: of an op as it is recorded, and of its rule as it runs.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// ValueError for an op without a name, GraphError for a value that is undefined.
void check_value(const char* name, const Tensor& value);
// GraphError if `output` is on the tape already, if it is older than an input that requires a gradient, and for a floating
// input that has no rule: only the first inputs have, as many as there are rules.
void check_recorded(const char* op, const Tensor& output, std::span<const Tensor> inputs, std::size_t rules);

// Lives while the rule of a node runs. GraphError if that rule is running already.
class RunningRule {
 public:
  RunningRule(const Node& node, const Tensor& grad);
  ~RunningRule() { node_.running_ = 0; }
  RunningRule(const RunningRule&) = delete;
  RunningRule& operator=(const RunningRule&) = delete;

  // What the rule threw, with the name of its op: an Error in its class, another exception nested in a GraphError.
  [[noreturn]] void rethrow() const;
  // GraphError if the rule changed dL/dy; ShapeError or DTypeError for a gradient that does not fit its input, ValueError for rows
  // that it does not have.
  void check(std::span<const Gradient> gradients) const;

 private:
  const Node& node_;
  const Tensor& grad_;  // dL/dy
  const std::uint32_t version_;
};

}  // namespace gradus
