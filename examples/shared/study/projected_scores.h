// The scores of positions alone, as a head of attention sees them.
#pragma once

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace gradus::examples {

// PE W_qᵀ W_k PEᵀ [T, T] of a table [T, d] with a position in each row; W_q and W_k [width, d] from N(0, 1/d), as a layer
// starts. `shared`: W_k = W_q.
Tensor projected_scores(const Tensor& table, int64_t width, Generator& random, bool shared = false);

}  // namespace gradus::examples
