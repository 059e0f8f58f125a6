// Adaptive layer norm: γ, β and a gate computed from a condition, say a class (Perez et al., 2018; with
// the gate and the zero start Peebles and Xie, 2023).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps);
}

// The layer norm x̂ of x [..., C] without γ and β, scaled and shifted by s = `scale` and t = `shift`, which broadcast to x:
//   y = x̂ ⊙ (1 + s) + t
//   dL/ds = g ⊙ x̂      dL/dt = g      dL/dx as in layer_norm with γ = 1 + s
// with g = dL/dy. ShapeError for x of shape [].
Tensor adaptive_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps = 1e-5);

struct AdaptiveNormOptions {
  double eps = 1e-5;
  bool gate = false;       // compute a gate too
  bool zero_start = true;  // s, t and the gate start at 0: a layer norm whose gated sublayer is silent at first
};

// adaptive_norm whose scale and shift are a linear map of the condition, and with `gate` a gate, too.
class AdaptiveNorm : public Module {
 public:
  // ValueError unless both widths are positive and eps >= 0.
  AdaptiveNorm(int64_t width, int64_t condition_width, AdaptiveNormOptions options = {});

  struct Result {
    Tensor y;
    Tensor gate;  // [B, 1, …, width], to multiply the sublayer's result: x + gate ⊙ f(y); undefined without `gate`
  };
  // x [B, …, width] and condition [B, condition_width]. ShapeError otherwise.
  Result operator()(const Tensor& x, const Tensor& condition);
  void members(Members& m) override { m.child("modulation", modulation); }
  std::string describe() const override;

  Linear modulation;  // from the condition to s, t and the gate, side by side

 private:
  int64_t width_;
  AdaptiveNormOptions options_;
};

}  // namespace gradus::nn
