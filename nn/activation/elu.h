// ELU and its kin: exponential below 0, so that the mean of the outputs is nearer to 0.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor elu(const Tensor& x, double alpha);
Tensor celu(const Tensor& x, double alpha);
Tensor selu(const Tensor& x);
}  // namespace formula

namespace act {

// y = x > 0 ? x : α(e^x - 1)      dy/dx = x > 0 ? 1 : α e^x = y + α
// dy/dx is α at the kink x = 0 (Clevert, Unterthiner and Hochreiter, 2016). ValueError unless α is finite and not negative.
Activation elu(double alpha = 1);

// y = x > 0 ? x : α(e^(x/α) - 1)      dy/dx = x > 0 ? 1 : e^(x/α)
// ELU with a continuous derivative (Barron, 2017). ValueError unless α is finite and positive: for a negative one, which
// PyTorch accepts, e^(x/α) would grow without bound below 0.
Activation celu(double alpha = 1);

// The α and λ of SELU.
inline constexpr double kSeluAlpha = 1.6732632423543772848, kSeluScale = 1.0507009873554804934;

// y = λ elu(x, α)      dy/dx = x > 0 ? λ : λα e^x
// α = 1.6732… and λ = 1.0507… keep mean 0 and variance 1 from layer to layer (Klambauer et al., 2017). dy/dx is λα at the
// kink x = 0.
extern const Activation selu;

}  // namespace act

}  // namespace gradus::nn
