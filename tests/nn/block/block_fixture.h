// Rows of block.safetensors: a module with parameters, its inputs and output, and all gradients, from PyTorch.
#pragma once

#include <functional>
#include <string>

#include "nn/module.h"

namespace gradus::test {

using BlockInputsOf = std::function<Tensor(const std::string& key)>;  // a tensor of the row, floating ones as leaves

// Loads the row's parameters into `module`, whose paths must be the row's, and compares what `run` makes of the row's
// inputs, and the gradients of parameters and inputs along the row's cotangent: in f64, in f32, and by the formulas.
// "" or what differs.
std::string against_block_fixture(const std::string& row, nn::Module& module,
                                  const std::function<Tensor(const BlockInputsOf& input)>& run);

}  // namespace gradus::test
