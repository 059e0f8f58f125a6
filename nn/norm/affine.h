// γ and β: the gain and shift that most norms end with. Either may be missing, and is undefined then.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// x̂ ⊙ γ + β, both broadcast to x̂.
Tensor affine(const Tensor& normalized, const Tensor& gain, const Tensor& bias);

// The same with γ and β [C] along axis 1 of x̂ [N, C, …].
Tensor affine_per_channel(const Tensor& normalized, const Tensor& gain, const Tensor& bias);

// ShapeError naming `op` unless γ and β, where they are, have this shape.
void check_affine(const char* op, const Tensor& x, const Shape& expected, const Tensor& gain, const Tensor& bias);

// Packs {x, γ, β} for record_fused, which takes no undefined tensors, and finds γ and β again.
class AffineInputs {
 public:
  AffineInputs(const Tensor& gain, const Tensor& bias) : gain_(gain.defined()), bias_(bias.defined()) {}

  bool any() const { return gain_ || bias_; }
  Tensors pack(const Tensor& x, const Tensor& gain, const Tensor& bias) const;
  template <typename Inputs> Tensor gain(const Inputs& input) const { return gain_ ? input(1) : Tensor(); }
  template <typename Inputs> Tensor bias(const Inputs& input) const {
    return bias_ ? input(gain_ ? 2 : 1) : Tensor();
  }

 private:
  bool gain_, bias_;
};

void check_eps(const char* type, double eps);  // ValueError when negative or NaN

}  // namespace gradus::nn
