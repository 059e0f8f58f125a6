// Anomaly mode: names the op that made the first NaN or Inf.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// GraphError if `value` has a NaN where no input has one, or an Inf where all inputs are finite.
void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs);
// The same for the gradients that a rule gave, judged against s.grad.
void check_backward(const char* op, const Backward& s, std::span<const Gradient> gradients);

}  // namespace gradus
