// The fast path of cross-entropy.
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

// Inputs logits [N, V], targets [N] (a negative one is not counted) and class weights [V] or undefined, which get no
// gradient; one loss per row, 0 where not counted.
class CrossEntropyKernel final : public FastPath {
 public:
  CrossEntropyKernel(double label_smoothing, double z_loss) : label_smoothing_(label_smoothing), z_loss_(z_loss) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  double label_smoothing_, z_loss_;
  Tensor log_z_;  // one per row
};

}  // namespace gradus::nn
