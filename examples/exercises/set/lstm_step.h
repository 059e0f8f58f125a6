// Exercise 22, lstm-step.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions lstm_step(void (*step)(In x, In h, In c, In w, In u, In b, Out h_new, Out c_new),
                    void (*gradient)(In a, In c, In g, In gc, Out da, Out dc));

}  // namespace gradus::exercises::set
