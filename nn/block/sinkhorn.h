// Sinkhorn's rounds: from any square matrix to one whose rows and columns sum to 1 (Sinkhorn and Knopp, 1967).
#pragma once

#include "core/autograd/fused.h"

namespace gradus::nn {

namespace formula {
Tensor sinkhorn(const Tensor& logits, int64_t rounds);
}
namespace fast {  // sinkhorn_kernel.cpp
std::unique_ptr<FastPath> sinkhorn(int64_t rounds);
}

// M = e^A; in each round the rows are divided by their sums, and then the columns. A [..., n, n] to the same shape: all numbers
// positive, the sum of each column 1, that of each row nearer to 1 with every round. The limit is diag(u) e^A diag(v).
// ValueError unless rounds is positive; ShapeError for matrices that are not square.
Tensor sinkhorn(const Tensor& logits, int64_t rounds = 20);

}  // namespace gradus::nn
