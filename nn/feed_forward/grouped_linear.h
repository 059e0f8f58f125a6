// Several experts, each over its rows: one linear map, and the whole of a mixture but for its router.
#pragma once

#include <memory>

#include "core/autograd/fused.h"
#include "nn/layer.h"

namespace gradus::nn {

// y_i = W_e x_i + b_e for each row i of group e      dL/dx_i = W_eᵀ g_i      dL/dW_e = Σ_i g_i x_iᵀ      dL/db_e = Σ_i g_i
// x [M, in] to [M, out]; W_e [out, in]; b_e [out] or undefined. Group e has the rows from ends[e - 1] to before ends[e] (i64 [E],
// rising to M), perhaps none. ShapeError, DTypeError or ValueError where they do not fit.
Tensor grouped_linear(const Tensor& x, const Tensor& ends, const Tensors& weights, const Tensors& biases);

namespace formula {
Tensor experts(const Tensors& inputs, Layer* norm = nullptr);  // with a norm before W₂, if there is one
}

namespace fast {
std::unique_ptr<FastPath> experts();
}

// y_t = Σ_e w_te E_e(x_t), E_e(x) = W₂ᵉ (silu(W₁ᵉ x) ⊙ W₃ᵉ x), to [N, width]. Inputs: x [N, width]; w [N, k]; tokens, choices and ends
// as rows_by_expert gives them; W₁ of each expert, W₃ of each, W₂ of each; their biases in the same order, perhaps undefined.
Tensor experts(const Tensors& inputs);

}  // namespace gradus::nn
