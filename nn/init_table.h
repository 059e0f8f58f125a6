// The family of starts: how the linear maps of a block are drawn before training, a row for each rule.
#pragma once

#include <functional>

#include "core/io/named_tensors.h"
#include "core/table.h"

namespace gradus::nn {

// Draws the weight [out, in] of a linear map anew; its role says what the map is for.
using Init = std::function<void(Tensor& weight, Role role)>;

struct InitOptions {
  int64_t added_sublayers = 1;  // how many add their results to one stream that no norm divides
};

using MakeInit = std::function<Init(const InitOptions&)>;
const Table<MakeInit>& inits();
using InitChoice = Choice<inits>;  // a name in the table, or a MakeInit

}  // namespace gradus::nn
