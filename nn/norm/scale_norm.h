// ScaleNorm: every row is brought onto a sphere of one learned radius (Nguyen and Salazar, 2019).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
Tensor scale_norm(const Tensor& x, const Tensor& radius, double eps);
}

// Over the last axis of x, with g = `radius` and r = √(‖x‖² + ε):
//   y = g x / r
//   dL/dx = g (dL/dy - x (dL/dy · x) / r²) / r      dL/dg = Σ dL/dy ⊙ x / r
// x [..., n]; g is one number, of shape []. ShapeError otherwise. A row of zeros stays 0 if ε > 0.
Tensor scale_norm(const Tensor& x, const Tensor& radius, double eps = 1e-5);

// scale_norm of x [..., width] with a trained radius.
class ScaleNorm : public Layer {
 public:
  explicit ScaleNorm(int64_t width, double eps = 1e-5);  // ValueError unless width > 0 and eps >= 0

  void members(Members& m) override { m.parameter("radius", radius, Role::gain); }
  std::string describe() const override;

  Parameter radius;  // g, of shape [], starts at √width, so that it starts as RMSNorm does

 private:
  Tensor forward(const Tensor& x) override;

  int64_t width_;
  double eps_;
};

}  // namespace gradus::nn
