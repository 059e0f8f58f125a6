// Softmax over the last axis.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor softmax(const Tensor& x);
}

// y = e^(x - max x) / Σ e^(x - max x)      dL/dx = y ⊙ (g - Σ g ⊙ y), with g = dL/dy
// x [..., n], n > 0 (ShapeError). Subtracting the maximum changes nothing, softmax(x) = softmax(x - c), and keeps e^x
// from overflowing. A row of -∞ gives NaN: there is nothing to choose from.
Tensor softmax(const Tensor& x);

}  // namespace gradus::nn
