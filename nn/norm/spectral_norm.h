// Spectral normalisation: a weight divided by its largest singular value, so that the layer stretches no input by more
// than 1 (Miyato et al., 2018).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);
}

// w = W / σ, σ = uᵀ W v: W [out, in], u [out] and v [in] of length 1 (ShapeError otherwise). For the first singular vectors
// σ is σ₁; u and v count as constants, as the derivative of σ₁ by them is 0 there.      dL/dW = (G - (G · w) u vᵀ) / σ
// A W of zeros has no direction, and is NaN.
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);

// u ← W v / ‖W v‖, v ← Wᵀ u / ‖Wᵀ u‖, so many times, in place: u and v turn towards the first singular vectors of W, by
// σ₂/σ₁ squared at each step.
void power_iteration(const Tensor& weight, Tensor& u, Tensor& v, int64_t times);

// y = x wᵀ + b. In training each call makes one power iteration before it, which is enough as W changes slowly; in use none.
// The first call of all begins with 15, from a random v.
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
