// How large a stack of blocks will be, told before any of it is made.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

// The numbers in the matrices of all options.stack.layers blocks: as many as these have parameters, or a little fewer. Those of
// a feed-forward layer of one's own are not known, and count as none. Sizes that are not positive count as 0.
double least_parameters(const BlockOptions& options);

// MemoryError, beginning with `who`, unless this process may have memory for so many numbers in f32.
void check_memory(const char* who, double numbers);

}  // namespace gradus::nn
