// Exercise 18, heads.
#pragma once

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions heads(Tensor (*split)(const Tensor& x, int64_t heads), Tensor (*merge)(const Tensor& x),
                Tensor (*share)(const Tensor& x, int64_t heads));

}  // namespace gradus::exercises::set
