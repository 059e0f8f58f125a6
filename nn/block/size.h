// The size of a stack of blocks, before any of it is made.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

// A lower bound of the parameters of all options.stack.layers blocks: their matrices, but those of an own feed-forward layer.
// Sizes that are not positive count as 0.
double least_parameters(const BlockOptions& options);

// MemoryError, beginning with `op`, unless so many numbers in f32 fit into this process's memory.
void check_memory(double numbers, OpName op = {});

}  // namespace gradus::nn
