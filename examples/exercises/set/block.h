// Exercise 20, block.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using Part = std::function<Tensor(const Tensor&)>;  // a sublayer, or a norm

using Placed = Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2);
using PlacedDeep = Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2, double alpha);

Functions block(Placed* pre, Placed* post, PlacedDeep* deep);

}  // namespace gradus::exercises::set
