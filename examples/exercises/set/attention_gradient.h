// Exercise 17, attention-gradient.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions attention_gradient(void (*gradient)(In q, In k, In v, In g, Out dq, Out dk, Out dv));

}  // namespace gradus::exercises::set
