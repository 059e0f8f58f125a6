// accumulate: the sum of the gradients that reach one tensor.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// sum + contribution, in the shape of x: rows among zeros, and a broadcast summed back over the axes along which it was
// stretched. An undefined sum is zero. Added in place where nobody else holds the sum; recorded under create_graph.
Tensor accumulate(Tensor sum, Gradient contribution, const Tensor& x, bool create_graph);

}  // namespace gradus
