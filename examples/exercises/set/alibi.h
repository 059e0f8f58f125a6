// Exercise 15, alibi.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions alibi(void (*slopes)(Out m), void (*scores)(In products, In slopes, In queries, In keys, int d, Out e));

}  // namespace gradus::exercises::set
