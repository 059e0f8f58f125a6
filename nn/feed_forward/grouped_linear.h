// The linear maps of several experts, each over its rows, as one op.
#pragma once

#include <memory>

#include "core/autograd/fused.h"
#include "core/tensor/tensor.h"

namespace gradus::nn {

namespace formula {
Tensor grouped_linear(const Tensors& inputs);  // x, ends, W_0 …, b_0 …: as of grouped_linear
}

// y_i = W_e x_i + b_e for each row i of group e      dL/dx_i = W_eᵀ g_i      dL/dW_e = Σ_i g_i x_iᵀ      dL/db_e = Σ_i g_i
// x [M, in] to [M, out]; W_e [out, in]; b_e [out], all or none undefined. Group e has the rows from ends[e - 1] to before ends[e]
// (i64 [E], rising to M), perhaps none. ShapeError, DTypeError or ValueError where they do not fit.
Tensor grouped_linear(const Tensor& x, const Tensor& ends, const Tensors& weights, const Tensors& biases);

namespace fast {
std::unique_ptr<FastPath> grouped_linear();
}

}  // namespace gradus::nn
