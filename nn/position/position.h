// Position encodings: one small interface says where an encoding acts, so that attention does not know them by name.
#pragma once

#include "core/family.h"
#include "nn/module.h"

namespace gradus::nn {

struct PositionOptions {
  int64_t head_dim;
  int64_t max_length;  // of the tables; ValueError for a longer sequence
};

class Position : public Module {
 public:
  // Queries and keys [B, T, H, d_head] before they meet; `start` is the position of the first token.
  virtual Tensor on_heads(const Tensor& x, int64_t start) = 0;
};

using MakePosition = std::function<std::unique_ptr<Position>(const PositionOptions&)>;
const Family<MakePosition>& positions();

}  // namespace gradus::nn
