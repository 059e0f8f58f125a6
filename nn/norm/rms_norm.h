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

// Each row, the n values along the last axis of x, divided by its root mean square r:
//   y = x / r ⊙ γ      r = √(mean(x²) + ε)
// x [..., n]; γ = `gain` [n], or undefined. ShapeError otherwise. If ε = 0 a row of zeros gives NaN. A row whose Σ x² overflows
// becomes 0 and has no gradient: if all |x| are equal, above 1.84e19 / √n in f32 and 1.34e154 / √n in f64.
Tensor rms_norm(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

struct RMSNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool one_plus_gain = false;  // y = x / r ⊙ (1 + γ), γ starting at 0, so that weight decay pulls towards the plain norm
};

// rms_norm of x [..., width] with a trained γ.
class RMSNorm : public RowNorm {
 public:
  explicit RMSNorm(int64_t width, RMSNormOptions options = {});  // ValueError unless width > 0 and eps >= 0

 private:
  Tensor apply(const Tensor& x) const override;

  bool one_plus_gain_;
};

}  // namespace gradus::nn
