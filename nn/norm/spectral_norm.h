// Spectral normalisation: a weight divided by its largest singular value, so that the layer stretches no input by more
// than 1 (Miyato et al., 2018).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);
}

// For u and v of length 1:
//   w = W / σ      σ = uᵀ W v
// For the first singular vectors of W, σ is its largest singular value σ₁. u and v count as constants: at these vectors the
// derivative of σ by them is 0, for changes that keep their length. With G = dL/dw:
//   dL/dW = (G - (G · w) u vᵀ) / σ
// W = `weight` [out, in], u [out], v [in]. A W of zeros gives NaN. ShapeError otherwise.
Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v);

// Moves u and v, in place, towards the first singular vectors of W, `times` times:
//   u ← W v / ‖W v‖      v ← Wᵀ u / ‖Wᵀ u‖
// Each multiplies the tangent of the angle between v and its goal by (σ₂/σ₁)² or less, with σ₁ and σ₂ the two largest
// singular values. Shapes and errors as for spectral_norm; also ValueError for a negative number of times.
void power_iteration(const Tensor& weight, Tensor& u, Tensor& v, int64_t times);

// A linear layer, y = x wᵀ + b, with w the spectral_norm of W. A call in training first makes one power_iteration, enough
// since W changes slowly; a call in eval none. A call whose v is 0, as at first, makes 15 from a random v: fill v with 0
// after replacing W.
class SpectralNormLinear : public Layer {
 public:
  SpectralNormLinear(int64_t in, int64_t out, LinearOptions options = {});  // ValueError unless both are positive

  void members(Members& m) override;
  std::string describe() const override { return describe_map("SpectralNormLinear", weight, bias); }

  Parameter weight;  // W [out, in], starts as Linear's
  Parameter bias;    // b [out]; undefined without
  Tensor u, v;       // [out] and [in], saved with the model; zeros until the first call

 private:
  Tensor forward(const Tensor& x) override;

  Role role_;
};

}  // namespace gradus::nn
