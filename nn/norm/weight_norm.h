// Weight normalisation: the length and direction of each row of a weight as two parameters (Salimans and Kingma, 2016).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor weight_norm(const Tensor& direction, const Tensor& length);
}

// Row by row, with v = `direction`, g = `length` and G = dL/dw:
//   w = g v / ‖v‖
//   dL/dg = G · v / ‖v‖      dL/dv = g (G - w (G · w) / g²) / ‖v‖
// v [out, in], g [out]. dL/dv is at right angles to v. A row of zeros in v gives NaN. ShapeError otherwise.
Tensor weight_norm(const Tensor& direction, const Tensor& length);

// A linear layer, y = x wᵀ + b, with w the weight_norm of v and g. v starts as Linear's weight and g as its length: w = v.
class WeightNormLinear : public Layer {
 public:
  WeightNormLinear(int64_t in, int64_t out, LinearOptions options = {});  // ValueError unless both are positive

  void members(Members& m) override;
  std::string describe() const override { return describe_map("WeightNormLinear", direction, bias); }

  Parameter direction;  // v [out, in]
  Parameter length;     // g [out]
  Parameter bias;       // b [out]; undefined without

 private:
  Tensor forward(const Tensor& x) override;

  Role role_;  // of the direction
};

}  // namespace gradus::nn
