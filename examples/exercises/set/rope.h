// Exercise 14, rope.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions rope(void (*value)(In x, In positions, int width, double theta, Out y),
               void (*gradient)(In g, In positions, int width, double theta, Out dx),
               void (*of_heads)(In q, In k, In v, In positions, int heads, double theta, Out new_q, Out new_k, Out new_v),
               void (*order)(In w, int heads, Out y));

}  // namespace gradus::exercises::set
