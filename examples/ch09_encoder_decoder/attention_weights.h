// The weights that attentions used, read off the tape: nothing in the model has to keep them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

struct AttentionWeights {
  std::string path;      // of the attention in its model: "decoder.blocks.0.cross_attention"
  Tensor probabilities;  // [B, H, T, S]
};

// Those of every attention in what `forward` computes, in order. It must run the formula: one that is given a mask, or
// under FormulaOnly; the fast path never holds the matrix.
std::vector<AttentionWeights> attention_weights(const std::function<Tensor()>& forward);

}  // namespace gradus::examples
