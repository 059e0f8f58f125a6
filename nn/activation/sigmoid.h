// The sigmoid and its kin: curves that saturate, and the integral of one.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor softplus(const Tensor& x);
Tensor softplus_beta(const Tensor& x, double beta);
Tensor log_sigmoid(const Tensor& x);
Tensor softsign(const Tensor& x);
}  // namespace formula

namespace act {

// y = σ(x) = 1 / (1 + e^-x)      dy/dx = y(1 - y) = σ(x)σ(-x)
// y is between 0 and 1, so not centred on 0; dy/dx is at most ¼. It is the op gradus::sigmoid.
extern const Activation sigmoid;

// y = (e^x - e^-x) / (e^x + e^-x) = 2σ(2x) - 1      dy/dx = 1 - y²
// y is between -1 and 1. It is the op gradus::tanh.
extern const Activation tanh;

// y = log(1 + e^x)      dy/dx = σ(x)
// A smooth max(0, x): nearly x for large x, and nearly e^x for large negative x. (Dugas et al., 2001)
extern const Activation softplus;

// y = log(1 + e^(βx)) / β      dy/dx = σ(βx)
// The larger β, the nearer to max(0, x), from which it is log 2 / β away at most; β = 1 is softplus. ValueError unless β is in
// [2⁻¹²⁶, 2¹²⁶], so that f32 holds it and 1/β.
Activation softplus_beta(double beta);

// y = log σ(x) = -softplus(-x)      dy/dx = σ(-x)
// The log of a probability of yes: nearly x for large negative x, and nearly -e^-x for large x.
extern const Activation log_sigmoid;

// y = x / (1 + |x|)      dy/dx = 1 / (1 + |x|)²
// Between -1 and 1 like tanh, but nears them as 1/|x|, not as an exponential. (Bergstra et al., 2009)
extern const Activation softsign;

}  // namespace act

}  // namespace gradus::nn
