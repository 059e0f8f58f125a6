// The family of starts: how the linear maps of the blocks, and the embedding, are drawn before training.
#pragma once

#include <functional>

#include "core/io/named_tensors.h"
#include "core/options/table.h"

namespace gradus::nn {

// Draws a weight anew: a linear map [out, in], or by Role::table an embedding, a row per id.
using Init = std::function<void(Tensor& weight, Role role)>;

struct InitOptions {
  int64_t added_sublayers = 1;  // how many add their results to one residual stream that no norm divides
};

// The rules by name. "gpt2" draws all from N(0, 0.02²), which at widths far below a thousand leaves the sublayers silent:
// post-norm stays the identity, and every placement begins alike. "depth-scaled" is the same idea at any width.
using MakeInit = std::function<Init(const InitOptions&)>;
const Table<MakeInit>& inits();
using InitChoice = Choice<inits>;  // a name in the table, or a MakeInit

}  // namespace gradus::nn
