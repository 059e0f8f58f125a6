// Kernel of a fast path: optimizer steps.
// One pass over a parameter; see optim/adamw.h for the formula
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct AdamStep {
  double lr, beta1, beta2, eps, decay;
  double correction1, correction2;  // 1 - β₁ᵗ, 1 - β₂ᵗ
};
void adamw(Tensor& parameter, const Tensor& grad, Tensor& first, Tensor& second, const AdamStep& step);

double sum_of_squares(const Tensor& x);  // in f64, independent of the number of threads
void scale(Tensor& x, double factor);    // x *= factor

}  // namespace gradus::kernels
