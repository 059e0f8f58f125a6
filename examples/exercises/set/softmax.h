// Exercise 6, softmax.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions softmax(void (*value)(In x, Out y), void (*gradient)(In g, In y, Out dx));

}  // namespace gradus::exercises::set
