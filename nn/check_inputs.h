// The checks with which nn's functions and layers begin.
#pragma once

#include <initializer_list>

#include "core/tensor/tensor.h"

namespace gradus::nn {

// GraphError for an undefined tensor among `required`, at least one; DTypeError unless all that are defined have one floating
// dtype, the first one's. Messages begin with `op`.
void check_inputs(std::initializer_list<Argument> required, std::initializer_list<Argument> optional, OpName op = {});
inline void check_inputs(std::initializer_list<Argument> required, OpName op = {}) { check_inputs(required, {}, op); }

// What errors call x and y: "the prediction has shape [2], the target [3]".
struct PairNames { const char *x, *has, *y; };
// check_inputs of both, and ShapeError unless they have one shape.
void check_pair(const Tensor& x, const Tensor& y, const PairNames& names, OpName op = {});

}  // namespace gradus::nn
