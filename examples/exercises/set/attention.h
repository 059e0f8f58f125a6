// Exercise 16, attention.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions attention(void (*whole)(In q, In k, In v, Out y), void (*in_window)(In q, In k, In v, int window, double cap, Out y),
                    void (*of_heads)(In q, In k, In v, int heads, Out y));

}  // namespace gradus::exercises::set
