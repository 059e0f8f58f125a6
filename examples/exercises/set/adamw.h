// Exercise 23, adamw.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions adamw(void (*nesterov_step)(In g, double lr, double mu, Out theta, Out u),
                void (*adamw_step)(In g, int t, double lr, double beta1, double beta2, double eps, double decay, Out theta,
                              Out m, Out v));

}  // namespace gradus::exercises::set
