// The door of nn's functions and layers: what they are given is there, is floating, and has one dtype.
#pragma once

#include <initializer_list>

#include "core/tensor/tensor.h"

namespace gradus::nn {

// For `op`, whose name begins the message: GraphError for an undefined tensor among `required`; DTypeError for an i64 tensor,
// and for one whose dtype is not that of the first. Those in `optional` may be undefined.
void check_inputs(const char* op, std::initializer_list<Argument> required, std::initializer_list<Argument> optional = {});

// A layer's parameter, and the shape with which it was made.
struct MadeParameter {
  const char* name;
  const Tensor& tensor;
  Shape shape;
};
// Parameters are public, and may have been given another shape since: ShapeError, "GRU: bias_hh must have shape [6], got [2]";
// GraphError for one that is undefined.
void check_parameters(const char* layer, std::initializer_list<MadeParameter> parameters);

}  // namespace gradus::nn
