// Exercise 11, layer-norm-gradient.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions layer_norm_gradient(void (*value)(In x, In gain, In bias, double eps, Out y),
                              void (*gradient)(In g, In x, In gain, double eps, Out dx, Out dgain, Out dbias));

}  // namespace gradus::exercises::set
