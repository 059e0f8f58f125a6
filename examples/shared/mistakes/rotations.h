// RoPE as it should be, and as it has been published: one interface, so that a chapter can run any of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/shared/report/published.h"
#include "nn/position/rope.h"

namespace gradus::examples {

struct Rotation : Published {                                            // "rope/layout-mixed"; "right"
  std::function<Tensor(const Tensor& x, const Tensor& positions)> turn;  // q or k [B, T, H, d], positions [T] or [B, T]
  bool turns_values = false;
  std::function<Tensor(int64_t heads)> slopes = nullptr;  // ALiBi's, of a wrong answer that is about them
};

// For heads of this width, in f64, up to position 4095; without scaling. A mixed layout is one whatever the options' is.
Rotation right_rotation(int64_t head_dim, const nn::RopeOptions& options = {});
std::vector<Rotation> wrong_rotations(int64_t head_dim, const nn::RopeOptions& options = {});

}  // namespace gradus::examples
