// RMSNorm: every row divided by its root mean square (Zhang and Sennrich, 2019).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor rms_norm(const Tensor& x, const Tensor& gain, double eps);
}

// y = x / r ⊙ γ, r = √(mean(x²) + ε), over the last axis.
// With g = dL/dy and ĝ = g ⊙ γ:  dL/dx = (ĝ - x mean(ĝ ⊙ x) / r²) / r      dL/dγ = Σ g ⊙ x / r over the rows
// x [..., n]; gain γ [n] (ShapeError), or undefined for none.
Tensor rms_norm(const Tensor& x, const Tensor& gain = {}, double eps = 1e-5);

struct RMSNormOptions {
  double eps = 1e-5;
  bool gain = true;
};

class RMSNorm : public Layer {
 public:
  explicit RMSNorm(int64_t width, RMSNormOptions options = {});  // ValueError unless width > 0 and eps >= 0

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string name() const override;

  Tensor gain;  // γ, starts at 1

 private:
  int64_t width_;
  double eps_;
};

}  // namespace gradus::nn
