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

// y = x > 0 ? x : α(e^x - 1)      dy/dx = x > 0 ? 1 : α e^x = y + α: α at the kink, so smooth for α = 1
// ValueError for α < 0. (Clevert, Unterthiner and Hochreiter, 2016)
Activation elu(double alpha = 1);

// y = x > 0 ? x : α(e^(x/α) - 1) = α elu(x/α, 1)      dy/dx = x > 0 ? 1 : e^(x/α): smooth at 0 for every α; α = 1 is elu
// ValueError unless α > 0: 0 divides by 0; a negative α, which PyTorch accepts, makes e^(x/α) grow without bound below 0.
// (Barron, 2017)
Activation celu(double alpha = 1);

// The α and λ of SELU.
inline constexpr double kSeluAlpha = 1.6732632423543772848, kSeluScale = 1.0507009873554804934;

// y = λ elu(x, α), with the λ and α that keep mean 0 and variance 1 from layer to layer: α = 1.6732…, λ = 1.0507…
// dy/dx = x > 0 ? λ : λα e^x: λα at the kink      (Klambauer et al., 2017)
extern const Activation selu;

}  // namespace act

}  // namespace gradus::nn
