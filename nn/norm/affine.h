// γ and β: the gain and shift that most norms end with. Either may be missing, and is undefined then.
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

// x̂ ⊙ γ + β; γ and β broadcast to x̂.
Tensor affine(const Tensor& normalized, const Tensor& gain, const Tensor& bias = {});

// x̂ ⊙ γ + β with γ and β [C] along axis 1 of x̂ [N, C, …].
Tensor affine_per_channel(const Tensor& normalized, const Tensor& gain, const Tensor& bias);

// For `op`: check_inputs of x, and of γ and β, which may be undefined; ShapeError unless they have the shape `expected`.
void check_affine(const Tensor& x, const Shape& expected, const Tensor& gain, const Tensor& bias, OpName op = {});

// Returns eps. ValueError that names `op` unless it is finite and not negative.
double check_eps(double eps, OpName op = {});

// A layer with trained γ and β.
class AffineNorm : public Layer {
 public:
  void members(Members& m) override;  // "gain" and "bias"

  Parameter gain, bias;  // γ, starts at 1, and β, starts at 0; each undefined without

 protected:
  void make_affine(const Shape& shape, bool with_gain, bool with_bias);
};

}  // namespace gradus::nn
