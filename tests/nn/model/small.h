// A small language model, and two texts for it.
#pragma once

#include "nn/model/language_model.h"

namespace gradus::test {

inline nn::LanguageModelOptions small() { return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12}; }

inline Tensor two_texts() { return tensor({{1, 2, 10, 2, 7}, {0, 4, 4, 3, 9}}, DType::i64); }

}  // namespace gradus::test
