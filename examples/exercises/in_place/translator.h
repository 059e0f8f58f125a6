// A small encoder and decoder: words are turned round, and the decoder asks the source by a student's cross-attention.
#pragma once

#include <functional>

#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

using AskSource = std::function<Tensor(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v,
                                       const Tensor& w_o, const Tensor& is_word, int64_t heads)>;
AskSource library_cross_attention();

Training train_translator(const AskSource& ask, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
