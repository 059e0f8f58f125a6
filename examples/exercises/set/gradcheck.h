// Exercise 5, gradcheck.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using TensorOp = std::function<Tensor(const Tensor& x)>;                       // from x to y
using TensorRule = std::function<Tensor(const Tensor& g, const Tensor& x)>;  // from dL/dy to dL/dx
using Differences = std::function<Tensor(const TensorOp& f, const Tensor& x, const Tensor& g, double h)>;

using CentralDifferences = Tensor(const TensorOp& f, const Tensor& x, const Tensor& g, double h);
using IsRight = bool(const TensorOp& f, const TensorRule& rule, const Tensor& x, const Differences& central);

Functions gradcheck(CentralDifferences* differences, IsRight* is_right);

}  // namespace gradus::exercises::set
