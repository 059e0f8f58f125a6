// What a model does in one forward, call by call, and what each call reads: the book's drawings of encoder and decoder are
// made of it, so that none shows an arrow that the model does not have.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// The call of a module, or an op between two calls.
struct CallStep {
  std::string path;                // "encoder.blocks.0.attention"; of an op, with its module's: "encoder.blocks.0.add"
  std::string type;                // "MultiHeadAttention(8 heads of 64)", "add"
  Shape shape;                     // of what it makes
  std::vector<std::string> reads;  // the paths of the steps that made what it reads; none for ids
};

// In the order in which they begin, outer before inner. Where blocks are alike, the parts of the first are enough. A
// reshape moves no number and is no step.
std::vector<CallStep> call_steps(const std::function<Tensor()>& forward);

}  // namespace gradus::examples
