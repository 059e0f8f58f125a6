// Exercise 21, cross-attention.
#pragma once

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using CrossAttention = Tensor(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v, const Tensor& w_o,
                              const Tensor& is_word, int64_t heads);

Functions cross_attention(CrossAttention* attention);

}  // namespace gradus::exercises::set
