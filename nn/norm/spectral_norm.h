// Spectral normalisation: a weight divided by its largest singular value, so that the layer stretches no input by more
// than 1 (Miyato et al., 2018).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);
}

// w = W / σ, σ = uᵀ W v, for u and v of length 1: if they are the first singular vectors σ is σ₁, the largest singular
// value. They count as constants, as the derivative of σ₁ by them is 0 there. With G = dL/dw:
//   dL/dW = (G - (G · w) u vᵀ) / σ
// W [out, in], u [out], v [in]: ShapeError otherwise. A W of zeros has no direction, and gives NaN.
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);

// u ← W v / ‖W v‖, v ← Wᵀ u / ‖Wᵀ u‖, so many times, in place. u and v come to the first singular vectors of W: each time
// the tangent of the angle that is left shrinks by (σ₂/σ₁)².
void power_iteration(const Tensor& weight, Tensor& u, Tensor& v, int64_t times);

// y = x wᵀ + b. Each call in training makes one power iteration first, which is enough as W changes slowly; one in use makes
// none. The very first call, in training or not, makes 15 instead, from a random v; so does the next after v was filled with 0,
// as it should be where W is given other values as a whole.
class SpectralNormLinear : public Layer {
 public:
  SpectralNormLinear(int64_t in, int64_t out, LinearOptions options = {});  // ValueError unless both are positive

  Tensor forward(const Tensor& x) override;  // ShapeError when x's last axis is not `in`
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;  // W, starts as Linear's
  Parameter bias;    // undefined without
  Tensor u, v;       // saved; zeros until the first call

 private:
  Role role_;
};

}  // namespace gradus::nn
