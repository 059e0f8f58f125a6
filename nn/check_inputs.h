// The checks with which nn's functions and layers begin: each tensor is defined and floating, and all have one dtype.
#pragma once

#include <initializer_list>

#include "core/tensor/tensor.h"

namespace gradus::nn {

// GraphError for an undefined tensor among `required`, which are at least one; those in `optional` may be undefined.
// DTypeError for an i64 tensor, and for one whose dtype is not that of the first. Messages begin with `op`.
void check_inputs(const char* op, std::initializer_list<Argument> required, std::initializer_list<Argument> optional = {});

// A layer's parameter, and the shape that it was made with.
struct MadeParameter {
  const char* name;
  const Tensor& tensor;
  Shape shape;
};
// Parameters are public, so a program may have replaced one. ShapeError for another shape: "GRU: bias_hh must have shape [6],
// got [2]"; GraphError for one that is undefined.
void check_parameters(const char* layer, std::initializer_list<MadeParameter> parameters);

}  // namespace gradus::nn
