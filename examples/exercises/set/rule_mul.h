// Exercise 1, rule-mul.
#pragma once

#include <utility>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions rule_mul(std::pair<Tensor, Tensor> (*mul_rule)(const Tensor& g, const Tensor& a, const Tensor& b),
                   Tensor (*square_rule)(const Tensor& g, const Tensor& x), Tensor (*times)(const Tensor& a, const Tensor& b));

}  // namespace gradus::exercises::set
