// Kernel of a fast path: layer norm over the last axis, of n values.
// r = √(σ² + ε) with σ² the mean of (x - μ)², and x̂ = (x - μ) / r.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct LayerNorm {
  Tensor y;             // x̂ ⊙ γ + β; γ and β [n] may be undefined
  Tensor mean;          // μ and …
  Tensor inverse_root;  // … 1 / r, one a row, kept for backward
};
LayerNorm layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps);

struct LayerNormGradients {
  Tensor x;     // (ĝ - mean ĝ - x̂ mean(ĝ ⊙ x̂)) / r,  ĝ = g ⊙ γ
  Tensor gain;  // Σ g ⊙ x̂ over the rows
  Tensor bias;  // Σ g over the rows
};
// `mean` and `inverse_root` as kept. The gradients of γ and β, both or, unless `affine`, neither.
LayerNormGradients layer_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& mean,
                                       const Tensor& inverse_root, bool affine);

}  // namespace gradus::kernels
