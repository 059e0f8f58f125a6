// Exercise 24, clip-and-schedule.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions clip_and_schedule(double (*clip)(In g, double most, Out clipped),
                            double (*rate)(int t, int warmup, int total, double high, double low));

}  // namespace gradus::exercises::set
