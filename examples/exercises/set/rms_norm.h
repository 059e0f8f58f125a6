// Exercise 10, rms-norm.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions rms_norm(void (*value)(In x, In gain, double eps, Out y),
                   void (*gradient)(In g, In x, In gain, double eps, Out dx, Out dgain));

}  // namespace gradus::exercises::set
