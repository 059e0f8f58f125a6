// Anomaly mode: names the op that made the first NaN or Inf.
#pragma once

#include <span>

#include "core/tape/node.h"

namespace gradus {

// GraphError if `value` has a NaN where no input has one, or an Inf where all inputs are finite.
void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs);
// The same for the gradient of input i, given the finite or not finite step.grad.
void check_backward(const Backward& step, std::size_t i, const Tensor& gradient);

}  // namespace gradus
