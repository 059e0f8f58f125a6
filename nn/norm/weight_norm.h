// Weight normalisation: the length and the direction of each row of a weight as parameters of their own (Salimans and
// Kingma, 2016).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor weight_norm(const Tensor& direction, const Tensor& length);
}

// w = g v / ‖v‖, row by row: v [out, in], g [out]. ShapeError otherwise; a row of zeros has no direction, and is NaN.
// With G = dL/dw:  dL/dg = G · v / ‖v‖      dL/dv = g (G - w (G · w) / g²) / ‖v‖: at right angles to v
Tensor weight_norm(const Tensor& direction, const Tensor& length);

// y = x wᵀ + b; v starts as Linear's weight does and g at its length, so that at first w = v.
class WeightNormLinear : public Layer {
 public:
  WeightNormLinear(int64_t in, int64_t out, LinearOptions options = {});  // ValueError unless both are positive

  Tensor forward(const Tensor& x) override;  // ShapeError when x's last axis is not `in`
  void members(Members& m) override;
  std::string describe() const override;

  Parameter direction;  // v
  Parameter length;     // g
  Parameter bias;       // undefined without

 private:
  Role role_;  // of the direction
};

}  // namespace gradus::nn
