// RMSNorm's other forms. All over the last axis of x [..., n], γ [n] or undefined.
#pragma once

#include "nn/norm/row_norm.h"

namespace gradus::nn {

// Where γ meets a row whose statistics were taken in a wider type than x's.
enum class GainOrder {
  before_cast,  // cast(x̂ ⊙ γ): one rounding
  after_cast,   // cast(x̂) ⊙ γ, as in Llama's code (Touvron et al., 2023): two
};

namespace formula {
Tensor rms_norm_noeps(const Tensor& x, const Tensor& gain);
Tensor rms_norm_l2(const Tensor& x, const Tensor& gain, double eps);
Tensor rms_norm_upcast(const Tensor& x, const Tensor& gain, double eps, GainOrder order);
}  // namespace formula

// y = x / √(mean(x²)) ⊙ γ: every row of x̂ has length √n.
// A row of zeros has no direction. It is divided by 1: y = 0, dL/dx = g ⊙ γ. So is one whose squares are all too small
// for its type: below about 1e-23 in f32, 1e-162 in f64. One whose squares are too large is 0,
// as in rms_norm. (rms_norm with ε = 0 makes 0/0 of a row of zeros, NaN.)
Tensor rms_norm_noeps(const Tensor& x, const Tensor& gain = {});

// y = x / √(‖x‖² + ε) ⊙ γ: rms_norm with ε/n, divided by √n. The same functions of x, but γ counts 1/√n as much as
// rms_norm's: for one dL/dy a step on γ changes y by 1/n as much with SGD, whose step is itself √n times smaller, and by
// 1/√n as much where every value moves by the rate (Lion; Adam, nearly).
Tensor rms_norm_l2(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

// rms_norm of f16 with its statistics in f32 and the result in f16 again: 300² = 90000 is beyond f16's 65504, and so
// is the sum of a hundred 100². f32 and f64 are wide enough, and are left as they are.
Tensor rms_norm_upcast(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5,
                       GainOrder order = GainOrder::before_cast);

class RMSNormNoEps : public RowNorm {
 public:
  explicit RMSNormNoEps(int64_t width) : RowNorm("RMSNormNoEps", width, {.eps = 0, .bias = false}) {}

 protected:
  Tensor apply(const Tensor& x) const override { return rms_norm_noeps(x, gain); }
};

class RMSNormL2 : public RowNorm {
 public:
  explicit RMSNormL2(int64_t width, double eps = 1e-5) : RowNorm("RMSNormL2", width, {.eps = eps, .bias = false}) {}

 protected:
  Tensor apply(const Tensor& x) const override { return rms_norm_l2(x, gain, eps()); }
};

struct RMSNormUpcastOptions {
  double eps = 1e-5;
  GainOrder order = GainOrder::before_cast;
};

class RMSNormUpcast : public RowNorm {
 public:
  explicit RMSNormUpcast(int64_t width, RMSNormUpcastOptions options = {})
      : RowNorm("RMSNormUpcast", width, {.eps = options.eps, .bias = false}), order_(options.order) {}

 protected:
  Tensor apply(const Tensor& x) const override { return rms_norm_upcast(x, gain, eps(), order_); }

 private:
  GainOrder order_;
};

}  // namespace gradus::nn
