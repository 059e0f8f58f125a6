// Kernel of a fast path: RMS norm over the last axis; r = √(mean(x²) + ε).
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct RmsNorm {
  Tensor y;             // x / r ⊙ γ; γ may be undefined
  Tensor inverse_root;  // 1 / r, one a row, kept for backward
};
RmsNorm rms_norm(const Tensor& x, const Tensor& gain, double eps);
struct RmsNormGradients {
  Tensor x;     // (ĝ - x mean(ĝ ⊙ x) / r²) / r,  ĝ = g ⊙ γ
  Tensor gain;  // Σ g ⊙ x / r over the rows
};
RmsNormGradients rms_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& inverse_root);

}  // namespace gradus::kernels
