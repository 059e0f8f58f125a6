// Exercise 8, activations.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using LeakyValue = void (*)(In x, double slope, Out y);
using LeakyGradient = void (*)(In g, In x, double slope, Out dx);
using CurveValue = void (*)(In x, Out y);
using CurveGradient = void (*)(In g, In x, Out dx);

Functions activations(LeakyValue leaky_relu, LeakyGradient leaky_relu_gradient, CurveValue silu, CurveGradient silu_gradient,
                      CurveValue gelu, CurveGradient gelu_gradient);

}  // namespace gradus::exercises::set
