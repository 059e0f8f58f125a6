// Exercise 7, cross-entropy.
#pragma once

#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

Functions cross_entropy(double (*value)(In z, const int* target, double smoothing),
                        void (*gradient)(double g, In z, const int* target, double smoothing, Out dz),
                        double (*kl_divergence)(In log_p, In log_q), double (*perplexity)(In sum, In count));

}  // namespace gradus::exercises::set
