// Linear: y = x Wᵀ + b.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// y = x Wᵀ + b: x [..., in] to y [..., out]; weight W [out, in], bias b [out] or undefined. ShapeError when they do not fit,
// DTypeError when their dtypes differ.
//   dL/dx = g W      dL/dW = gᵀ x      dL/db = Σ g
// with g = dL/dy, and all leading axes taken as one.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

// What a Linear has, and what it is for.
struct LinearOptions {
  bool bias = true;          // is there one?
  Role role = Role::weight;  // of the weight: what the map is for
};

// linear() as a layer, x [..., in] to [..., out], with a weight and a bias of its own. ShapeError when x's last axis is not
// `in`.
class Linear : public Layer {
 public:
  // The weight starts Xavier uniform, the bias at 0. ValueError unless both sizes are positive.
  Linear(int64_t in, int64_t out, LinearOptions options = {});

  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;  // [out, in]
  Parameter bias;  // [out]; undefined without one

 private:
  Tensor forward(const Tensor& x) override;

  Role role_;
};

// --- for the classes of linear maps ----------------------------------------------------------------------------
// ValueError, beginning with `type`, unless both sizes are positive and at most 2⁴⁰.
void check_map_sizes(const char* type, int64_t in, int64_t out);
// x [..., in] for a weight [out, in] of its dtype: ShapeError, DTypeError, and GraphError for an undefined x, all beginning
// with `type`.
void check_features(const char* type, const Tensor& x, const Tensor& weight);

}  // namespace gradus::nn
