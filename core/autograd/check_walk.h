// What a walk refuses: an output or a seed that it cannot begin with, a part of the graph that is gone.
#pragma once

#include "core/tape/node.h"

namespace gradus {

// GraphError for an output that does not lead to a leaf, or that is undefined, and where one of several elements has no seed;
// ValueError for no output, and for a number of seeds that is neither 0 nor theirs; ShapeError or DTypeError for a seed that
// does not fit. GraphError, too, for a walk inside more than 100 others.
void check_begin(const Tensors& outputs, const Tensors& seeds, int depth, OpName op);

const Node& node_of(const Tensor& y, OpName op);  // the op that made y; GraphError if it is freed

}  // namespace gradus
