// The update of Adam and AdamW as one pass over a parameter: the one optimizer where time is spent.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

// The constants of one step.
struct AdamStep {
  double lr;
  double l2;     // Adam's λ, through the gradient
  double decay;  // AdamW's λ, on θ itself
  double beta1, beta2, eps;
  bool eps_before_correction;
  int64_t t;  // this step's number, from 1
};

// Changes θ = parameter, m = first, v = second and v̄ = largest, if defined, in place, by θ's gradient. All have one shape
// and dtype. DTypeError unless f32 or f64.
void adam(Tensor& parameter, Tensor& first, Tensor& second, const AdamStep& step, Tensor largest = {});

}  // namespace gradus::kernels
