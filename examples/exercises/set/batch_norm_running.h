// Exercise 12, batch-norm-running.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions batch_norm_running(
    void (*training)(In x, In gain, In bias, double eps, double momentum, Out mean, Out variance, Out y),
    void (*eval)(In x, In mean, In variance, In gain, In bias, double eps, Out y));

}  // namespace gradus::exercises::set
