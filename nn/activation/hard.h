// ReLU6, and the hard sigmoid and hard Swish made from it, which cost little.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor relu6(const Tensor& x);
Tensor hardsigmoid(const Tensor& x);
Tensor hardswish(const Tensor& x);
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

}  // namespace act

}  // namespace gradus::nn
