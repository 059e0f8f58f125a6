// Variants of RMSNorm. All are over the last axis of x [..., n], with γ = `gain` [n] or undefined. ShapeError otherwise.
#pragma once

#include "nn/norm/row_norm.h"

namespace gradus::nn {

// Whether rms_norm_upcast multiplies by γ before or after it casts x̂, which is in f32, to x's dtype.
enum class GainOrder {
  before_cast,  // cast(x̂ ⊙ γ): one rounding
  after_cast,   // cast(x̂) ⊙ γ: two, as in Llama's code (Touvron et al., 2023)
};

namespace formula {
Tensor rms_norm_noeps(const Tensor& x, const Tensor& gain);
Tensor rms_norm_l2(const Tensor& x, const Tensor& gain, double eps);
Tensor rms_norm_upcast(const Tensor& x, const Tensor& gain, double eps, GainOrder order);
}  // namespace formula

// rms_norm without ε, so that before γ every row has length √n:
//   y = x / √(mean(x²)) ⊙ γ
// A row of zeros, and one whose squares underflow, below about 1e-23 in f32 and 1e-162 in f64, is divided by 1: y = x ⊙ γ and
// dL/dx = dL/dy ⊙ γ. The gradient, which grows as 1 over the row's length, may be ±∞ below about 1e-19 in f32.
Tensor rms_norm_noeps(const Tensor& x, const Tensor& gain = {});

// Each row divided by its length:
//   y = x / √(‖x‖² + ε) ⊙ γ
// It is rms_norm with ε/n, divided by √n. With a γ √n times as large it is the same function of x, but for the same dL/dy a
// step on γ changes y by 1/n as much with SGD, and by 1/√n where every value moves by the learning rate (Lion).
Tensor rms_norm_l2(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

// rms_norm of f16 with statistics in f32 and the result in f16, which ends at 65504: 300² = 90000 exceeds it.
Tensor rms_norm_upcast(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5, GainOrder order = GainOrder::before_cast);

// rms_norm_noeps with a trained γ.
class RMSNormNoEps : public RowNorm {
 public:
  explicit RMSNormNoEps(int64_t width) : RowNorm("RMSNormNoEps", width, {.eps = 0, .bias = false}) {}

 private:
  Tensor apply(const Tensor& x) const override { return rms_norm_noeps(x, gain); }
};

// rms_norm_l2 with a trained γ.
class RMSNormL2 : public RowNorm {
 public:
  explicit RMSNormL2(int64_t width, double eps = 1e-5) : RowNorm("RMSNormL2", width, {.eps = eps, .bias = false}) {}

 private:
  Tensor apply(const Tensor& x) const override { return rms_norm_l2(x, gain, eps()); }
};

struct RMSNormUpcastOptions {
  double eps = 1e-5;
  GainOrder order = GainOrder::before_cast;
};

// rms_norm_upcast with a trained γ.
class RMSNormUpcast : public RowNorm {
 public:
  explicit RMSNormUpcast(int64_t width, RMSNormUpcastOptions options = {})
      : RowNorm("RMSNormUpcast", width, {.eps = options.eps, .bias = false}), order_(options.order) {}

 private:
  Tensor apply(const Tensor& x) const override { return rms_norm_upcast(x, gain, eps(), order_); }

  GainOrder order_;
};

}  // namespace gradus::nn
