// Exercise 25, training-loop.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using Loss = std::function<Tensor(const Tensor& x, const Tensor& y)>;
using Switch = std::function<void(bool on)>;

using Train = Tensor(const Loss& loss, const Switch& dropout, const Tensors& parameters, const Tensor& text, const Tensor& held, int part, double most);

Functions training_loop(Train* train);

}  // namespace gradus::exercises::set
