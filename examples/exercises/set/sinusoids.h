// Exercise 13, sinusoids.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions sinusoids(void (*waves)(In positions, double base, Out y), void (*added)(In x, int texts, double base, Out y));

}  // namespace gradus::exercises::set
