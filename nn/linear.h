// Linear: y = x Wᵀ + b.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

struct LinearOptions {
  bool bias = true;
};

// x [..., in] to y [..., out]; weight [out, in], bias [out].
// dL/dx = g W      dL/dW = gᵀ x      dL/db = Σ g      ShapeError when x's last axis is not `in`.
class Linear : public Layer {
 public:
  // The weight starts Xavier uniform, the bias at 0. ValueError unless both sizes are positive.
  Linear(int64_t in, int64_t out, LinearOptions options = {});

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;
  Parameter bias;  // undefined without
};

}  // namespace gradus::nn
