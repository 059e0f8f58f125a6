// Exercise 3, rule-matmul.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions rule_matmul(void (*matmul)(In g, In a, In b, Out da, Out db), void (*stack)(int matrices, In g, In a, In b, Out da, Out db),
                      void (*vector)(In g, In a, In v, Out da, Out dv), void (*gram)(In g, In x, Out dx));

}  // namespace gradus::exercises::set
