// Linear: y = x Wᵀ + b.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// x Wᵀ + b: x [..., in] to [..., out]; weight [out, in], bias [out] or undefined. ShapeError when they do not fit.
// dL/dx = g W      dL/dW = gᵀ x      dL/db = Σ g
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

struct LinearOptions {
  bool bias = true;
  Role role = Role::weight;  // of the weight: what the map is for
};

// The layer of it. ShapeError when x's last axis is not `in`.
class Linear : public Layer {
 public:
  // The weight starts Xavier uniform, the bias at 0. ValueError unless both sizes are positive.
  Linear(int64_t in, int64_t out, LinearOptions options = {});

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;
  Parameter bias;  // undefined without

 private:
  Role role_;
};

}  // namespace gradus::nn
