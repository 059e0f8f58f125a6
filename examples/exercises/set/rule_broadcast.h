// Exercise 2, rule-broadcast.
#pragma once

#include <utility>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions rule_broadcast(Tensor (*summed_to)(const Tensor& g, const Shape& shape),
                         std::pair<Tensor, Tensor> (*mul_rule)(const Tensor& g, const Tensor& a, const Tensor& b),
                         Tensor (*sum_rule)(const Tensor& g, const Shape& shape, const Axes& axes));

}  // namespace gradus::exercises::set
