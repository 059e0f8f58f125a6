// Activations of straight pieces with two kinks, which cost little: those that stop, and those that shrink.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor relu6(const Tensor& x);
Tensor hardsigmoid(const Tensor& x);
Tensor hardswish(const Tensor& x);
Tensor hardtanh(const Tensor& x, double limit);
Tensor softshrink(const Tensor& x, double threshold);
Tensor hardshrink(const Tensor& x, double threshold);
}  // namespace formula

namespace act {

// y = min(max(0, x), 6)      dy/dx = [0 < x < 6]
// dy/dx is 0 at both kinks, x = 0 and x = 6. (Krizhevsky, 2010)
extern const Activation relu6;

// y = min(max(0, x + 3), 6) / 6      dy/dx = [-3 < x < 3] / 6
// dy/dx is 0 at both kinks, x = ±3. (Howard et al., 2019)
extern const Activation hardsigmoid;

// y = x h, h = min(max(0, x + 3), 6) / 6      dy/dx = h + x [-3 < x < 3] / 6
// dy/dx is 0 at the kink x = -3 and 1 at the kink x = 3. (Howard et al., 2019)
extern const Activation hardswish;

// y = min(max(-L, x), L)      dy/dx = [-L < x < L]
// L = `limit`. dy/dx is 0 at both kinks, x = ±L. ValueError unless L is finite and positive. (Collobert, 2004)
Activation hardtanh(double limit = 1);

// y = x - min(max(-λ, x), λ)      dy/dx = [|x| > λ]
// λ = `threshold`: every number moves λ towards 0, and stops there. dy/dx is 0 at both kinks, x = ±λ. It minimises
// ½(y - x)² + λ|y|. ValueError unless λ is finite and not negative. (Donoho, 1995)
Activation softshrink(double threshold = 0.5);

// y = |x| > λ ? x : 0      dy/dx = [|x| > λ]
// λ = `threshold`, at which y jumps from 0 to λ; there y and dy/dx are 0. ValueError unless λ is finite and not negative.
// (Donoho and Johnstone, 1994)
Activation hardshrink(double threshold = 0.5);

}  // namespace act

}  // namespace gradus::nn
