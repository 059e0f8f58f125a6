// Layer norm taken apart and taken otherwise. All over the last axis of x [..., n], γ and β [n] or undefined.
#pragma once

#include "nn/norm/row_norm.h"

namespace gradus::nn {

// Where sources that call themselves layer norm differ.
struct DeviationForm {
  bool unbiased = true;     // s² divides by n - 1; otherwise by n
  bool eps_outside = true;  // s + ε; otherwise √(s² + ε)
};

namespace formula {
Tensor layer_norm_std(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps, DeviationForm form);
Tensor center_only_norm(const Tensor& x, const Tensor& gain, const Tensor& bias);
Tensor scale_only_norm(const Tensor& x, const Tensor& gain, double eps);
}  // namespace formula

// y = (x - μ) / (s + ε) ⊙ γ + β, s the unbiased standard deviation: the layer norm of "The Annotated Transformer"
// (Rush, 2018). With both options off it is layer_norm.
// A constant row gives β. There s has a kink, and its derivative is taken as 0: dL/dx = (ĝ - mean ĝ) / ε.
// ShapeError unless n >= 2 where s is unbiased: its divisor is n - 1.
Tensor layer_norm_std(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {}, double eps = 1e-6,
                      DeviationForm form = {});

// y = (x - μ) ⊙ γ + β: the first half of layer norm. Shift invariant, not scale invariant.
Tensor center_only_norm(const Tensor& x, const Tensor& gain = {}, const Tensor& bias = {});

// y = x / √(σ² + ε) ⊙ γ, σ² the variance around μ: the second half. Without ε a positive scale of x leaves it as it is; a
// shift changes it. A constant row is divided by √ε.
Tensor scale_only_norm(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

struct LayerNormStdOptions {
  double eps = 1e-6;
  bool gain = true;
  bool bias = true;
  DeviationForm form = {};
};

class LayerNormStd : public RowNorm {
 public:
  explicit LayerNormStd(int64_t width, LayerNormStdOptions options = {});

 protected:
  Tensor apply(const Tensor& x) const override { return layer_norm_std(x, gain, bias, eps(), form_); }

 private:
  DeviationForm form_;
};

class CenterOnlyNorm : public RowNorm {
 public:
  explicit CenterOnlyNorm(int64_t width) : RowNorm("CenterOnlyNorm", width, {.eps = 0}) {}
  bool removes_scale() const override { return false; }

 protected:
  Tensor apply(const Tensor& x) const override { return center_only_norm(x, gain, bias); }
};

class ScaleOnlyNorm : public RowNorm {
 public:
  explicit ScaleOnlyNorm(int64_t width, double eps = 1e-5)
      : RowNorm("ScaleOnlyNorm", width, {.eps = eps, .bias = false}) {}

 protected:
  Tensor apply(const Tensor& x) const override { return scale_only_norm(x, gain, eps()); }
};

}  // namespace gradus::nn
