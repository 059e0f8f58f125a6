// Exercise 20, block.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using Part = std::function<Tensor(const Tensor&)>;  // a sublayer, or a norm

Functions block(Tensor (*pre)(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2),
                Tensor (*post)(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2),
                Tensor (*deep)(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2, double alpha));

}  // namespace gradus::exercises::set
