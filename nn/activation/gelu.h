// GELU: x weighted by how likely a standard normal number is to be below it (Hendrycks and Gimpel, 2016).
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
}  // namespace formula

// convention-gelu-erf-or-tanh: gelu and gelu_tanh are both called GELU; BERT and the usual libraries mean the one by erf,
// GPT-2 means the one by tanh.
namespace act {

// y = x Φ(x), Φ(x) = ½(1 + erf(x/√2))      dy/dx = Φ(x) + x φ(x), φ(x) = e^(-x²/2) / √2π
extern const Activation gelu;

// An approximation of gelu, from which it differs by at most 4.732e-4, at |x| = 2.699:
//   y = ½x(1 + tanh u) = x σ(2u), u = √(2/π)(x + 0.044715x³)
//   dy/dx = σ(2u) + x σ(2u)(1 - σ(2u)) · 2√(2/π)(1 + 3·0.044715x²)
extern const Activation gelu_tanh;

}  // namespace act

}  // namespace gradus::nn
