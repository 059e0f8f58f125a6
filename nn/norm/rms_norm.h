// RMSNorm: every row divided by its root mean square (Zhang and Sennrich, 2019).
#pragma once

#include "core/autograd/fused.h"
#include "nn/norm/row_norm.h"

namespace gradus::nn {

namespace formula {
Tensor rms_norm(const Tensor& x, const Tensor& gain, double eps);
}
namespace fast {  // rms_norm_kernel.cpp
std::unique_ptr<FastPath> rms_norm(double eps);
}

// y = x / r ⊙ γ, r = √(mean(x²) + ε), over the last axis.
// With g = dL/dy and ĝ = g ⊙ γ:  dL/dx = (ĝ - x mean(ĝ ⊙ x) / r²) / r      dL/dγ = Σ g ⊙ x / r over the rows
// x [..., n]; gain γ [n] (ShapeError), or undefined for none. With ε = 0 a row of zeros is NaN; rms_norm_noeps gives it
// a meaning. Like all norms it sums squares in x's type (f16's in f32): a row with Σ x² beyond the largest number, so with
// equal |x| above √(FLT_MAX / n) = 1.84e19 / √n in f32, 1.34e154 / √n in f64, becomes 0 without a gradient.
Tensor rms_norm(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

struct RMSNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool one_plus_gain =
      false;  // y = x / r ⊙ (1 + γ), γ starting at 0, so that weight decay pulls towards the plain norm
};

class RMSNorm : public RowNorm {
 public:
  explicit RMSNorm(int64_t width, RMSNormOptions options = {});  // ValueError unless width > 0 and eps >= 0

 protected:
  Tensor apply(const Tensor& x) const override;

 private:
  bool one_plus_gain_;
};

}  // namespace gradus::nn
