// Kernel of a fast path: an Adafactor step over a matrix; see optim/adafactor.h for the formula.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct AdafactorStep {
  double length;      // of a step U with RMS(U) = 1
  double keep;        // of the parameter: 1 - lr λ
  double beta;        // the share of the past in R and C
  double eps1, clip;  // ε₁ and d
};

// parameter and grad [..., m], row [...] and column [m], changed in place. Reads the gradient
// three times: for R and C, for RMS(U), which needs all of them, and for the step.
void adafactor(Tensor& parameter, const Tensor& grad, Tensor& row, Tensor& column, const AdafactorStep& step);

}  // namespace gradus::kernels
