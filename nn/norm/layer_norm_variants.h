// Variants of layer norm: its two halves alone, and one by the standard deviation. All are over the last axis of x [..., n],
// with mean μ and biased variance σ²; γ and β are [n] or undefined. ShapeError otherwise.
#pragma once

#include "nn/norm/row_norm.h"

namespace gradus::nn {

// How layer_norm_std takes the standard deviation s, where sources that say layer norm differ.
struct DeviationForm {
  bool unbiased = true;     // s² divides by n - 1; otherwise by n
  bool eps_outside = true;  // divides by s + ε; otherwise by √(s² + ε)
};

namespace formula {
Tensor layer_norm_std(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps, DeviationForm form);
Tensor center_only_norm(const Tensor& x, const Tensor& gain, const Tensor& bias);
Tensor scale_only_norm(const Tensor& x, const Tensor& gain, double eps);
}  // namespace formula

// The layer norm of "The Annotated Transformer" (Rush, 2018), with s the unbiased standard deviation:
//   y = (x - μ) / (s + ε) ⊙ γ + β
// With both flags of `form` false it is layer_norm. A constant row gives β and dL/dx = (ĝ - mean(ĝ)) / ε with ĝ = dL/dy ⊙ γ:
// the derivative of s at its kink is 0. ShapeError for n = 1 if s is unbiased, since its divisor is n - 1.
Tensor layer_norm_std(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-6, DeviationForm form = {});

// The first half of layer norm: a shift of x does not change y, a scale does.
//   y = (x - μ) ⊙ γ + β
Tensor center_only_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {});

// The second half of layer norm: with ε = 0, a positive scale of x does not change y; a shift does.
//   y = x / √(σ² + ε) ⊙ γ
// σ² is the variance around μ, so that a constant row is divided by √ε.
Tensor scale_only_norm(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

struct LayerNormStdOptions {
  double eps = 1e-6;
  bool gain = true;
  bool bias = true;
  DeviationForm form = {};
};

// layer_norm_std with trained γ and β.
class LayerNormStd : public RowNorm {
 public:
  explicit LayerNormStd(int64_t width, LayerNormStdOptions options = {});

 private:
  Tensor apply(const Tensor& x) const override { return layer_norm_std(x, gain, bias, eps(), form_); }

  DeviationForm form_;
};

// center_only_norm with trained γ and β.
class CenterOnlyNorm : public RowNorm {
 public:
  explicit CenterOnlyNorm(int64_t width) : RowNorm("CenterOnlyNorm", width, {.eps = 0}) {}
  bool removes_scale() const override { return false; }

 private:
  Tensor apply(const Tensor& x) const override { return center_only_norm(x, gain, bias); }
};

// scale_only_norm with a trained γ.
class ScaleOnlyNorm : public RowNorm {
 public:
  explicit ScaleOnlyNorm(int64_t width, double eps = 1e-5) : RowNorm("ScaleOnlyNorm", width, {.eps = eps, .bias = false}) {}

 private:
  Tensor apply(const Tensor& x) const override { return scale_only_norm(x, gain, eps()); }
};

}  // namespace gradus::nn
