// Exercise 26, sampling.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions sampling(void (*penalize)(In scores, const int* seen, int count, double penalty, Out y),
                   void (*keep_top_k)(In given, int k, Out left), void (*keep_top_p)(In given, double top_p, Out left),
                   void (*next_id)(In scores, double temperature, int k, double top_p, Out room, Out p));

}  // namespace gradus::exercises::set
