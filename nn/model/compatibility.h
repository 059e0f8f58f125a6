// Which norms, feed-forward layers, position encodings and placements go together.
#pragma once

#include <string>

#include "nn/model/transformer_options.h"

namespace gradus::nn {

// Why a stack of these variants would make no sense; empty if it does make sense. The parts say it of themselves, so a new
// variant needs no entry here:
// - A norm that mixes tokens (Layer::mixes_tokens), of the stream or of queries and keys, would let a decoder, which is
//   causal, see what it is to predict.
// - A placement that multiplies the stream in every block (Placement::relies_on_rescaling) needs a norm that removes the
//   scale again (Layer::removes_scale).
// - A placement with more than one stream (Placement::keeps_more) cannot stand beside another.
// - One whose keys and values read other sums (Placement::reads_apart) needs them in every layer.
std::string why_not(const TransformerOptions& options, StackKind kind = StackKind::decoder);

}  // namespace gradus::nn
