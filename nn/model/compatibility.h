// Which variants go together: the cross product norm × feed-forward × position × placement has few holes, and each is
// refused with its reason.
#pragma once

#include <string>

#include "nn/model/transformer_options.h"

namespace gradus::nn {

// Why a stack of these variants would make no sense; empty when it does. The reasons come from what the parts say of
// themselves, not from their names, so that a new variant needs no entry here:
//   a norm that mixes tokens (Layer::mixes_tokens), of the stream or of queries and keys, lets a decoder, which is
//   causal, see what it is to predict;
//   a placement that multiplies the stream in every block (Placement::relies_on_rescaling) needs a norm that takes
//   its scale out again (Layer::removes_scale).
// Makes a norm and a placement to ask them.
std::string why_not(const TransformerOptions& options, StackKind kind = StackKind::decoder);

}  // namespace gradus::nn
