// Kernel of RoPE: x [B, T, H, d]; each pair of the first w numbers of every head at place t is turned by the angle
// whose cosine and sine are cosines[t, k] and sines[t, k] ([T, w/2] or [B, T, w/2], of x's dtype); the others are
// copied.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

struct RopeTurn {
  bool halves = false;  // pairs are (k, k + w/2), else (2k, 2k+1)
  bool back = false;    // the other way round: the adjoint
};
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeTurn turn);

}  // namespace gradus::kernels
