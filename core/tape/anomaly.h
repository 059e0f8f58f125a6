// Anomaly mode: names the op that made the first NaN or Inf, what it made it from, and where. What tensors and modules are
// called is known from TensorNames, if there are any: make an inspect::CallLog before the model is called.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// GraphError, naming the op, if there is a NaN in `value`, whether the op made it or it came in by an input, or an Inf while
// all inputs are finite: one that came in may be meant, as in a mask.
void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs);
// The same for the gradients that the rule of y's op gave: a GraphError for a NaN or an Inf that neither dL/dy, y nor an input
// explains. Otherwise, are they all finite?
bool check_backward(const Tensor& y, const Backward& s, std::span<const Gradient> gradients);
// GraphError if the complete gradient of x has a NaN or an Inf: of finite contributions, their sum or a hook made it.
void check_gradient(const Tensor& x, const Tensor& gradient);

bool all_finite(const Tensor& x);

}  // namespace gradus
