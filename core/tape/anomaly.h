// Anomaly mode: names the op that made the first NaN or Inf.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// GraphError, naming the op, if there is a NaN in `value` but in none of the inputs, or an Inf while all inputs are finite.
void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs);
// The same for the gradients that a backward rule gave: a GraphError for a NaN or an Inf that s.grad does not explain.
void check_backward(const char* op, const Backward& s, std::span<const Gradient> gradients);

}  // namespace gradus
