// The door of nn's functions and layers: what they are given is there, is floating, and has one dtype.
#pragma once

#include <initializer_list>

#include "core/tensor/tensor.h"

namespace gradus::nn {

// For `op`, whose name begins the message: GraphError for an undefined tensor among `required`; DTypeError for an i64 tensor,
// and for one whose dtype is not that of the first. Those in `optional` may be undefined.
void check_inputs(const char* op, std::initializer_list<Argument> required, std::initializer_list<Argument> optional = {});

}  // namespace gradus::nn
