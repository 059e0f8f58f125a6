// ScaleNorm: every row on a sphere of one learned radius (Nguyen and Salazar, 2019).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor scale_norm(const Tensor& x, const Tensor& radius, double eps);
}

// y = g x / √(‖x‖² + ε), over the last axis; g one number, `radius` of shape []. ShapeError otherwise.
// With r = √(‖x‖² + ε):  dL/dx = g (dL/dy - x (dL/dy · x) / r²) / r      dL/dg = Σ dL/dy ⊙ x / r
// A row of zeros stays 0 as long as ε > 0.
Tensor scale_norm(const Tensor& x, const Tensor& radius, double eps = 1e-5);

class ScaleNorm : public Layer {
 public:
  explicit ScaleNorm(int64_t width, double eps = 1e-5);  // ValueError unless width > 0 and eps >= 0

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override { m.parameter("radius", radius, Role::gain); }
  std::string describe() const override;

  Parameter radius;  // g, starts at √width: RMSNorm with a gain of 1

 private:
  int64_t width_;
  double eps_;
};

}  // namespace gradus::nn
