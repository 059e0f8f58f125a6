// Kernel of RoPE: x [B, T, H, d]; the pair (2k, 2k+1) of every head at place t is turned by the angle whose cosine and
// sine are cosines[t, k] and sines[t, k] ([T, d/2] or [B, T, d/2], of x's dtype). `back` turns the other way.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, bool back);

}  // namespace gradus::kernels
