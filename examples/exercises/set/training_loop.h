// Exercise 25, training-loop.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using Loss = std::function<Tensor(const Tensor& x, const Tensor& y)>;
using Switch = std::function<void(bool on)>;

Functions training_loop(Tensor (*train)(const Loss& loss, const Switch& dropout, const Tensors& parameters, const Tensor& text,
                                        const Tensor& held, int part, double most));

}  // namespace gradus::exercises::set
