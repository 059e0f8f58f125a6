// What the claims of activations measure: what comes back through one, how long it takes, and how far softmax is off.
#pragma once

#include "examples/claims/lab.h"
#include "nn/activation/activation.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {

// ‖dL/dx‖ / ‖dL/dy‖ of y = f(x), where every x is from 5 to 10, of either sign.
double gradient_left_far_out(const nn::Activation& f, std::uint64_t seed);

// Time with f / time with leaky ReLU, forward and backward on one thread: of the function alone on 64 × 1,024 numbers, or
// in a feed-forward layer with as many hidden values, d = 256.
double time_over_leaky_relu(const nn::Activation& f, bool alone);

// The greatest |softmax(x + shift) − p| in roundings of the dtype (its ε/2), where p is softmax(x) by the definition in long
// double: 16 rows of 10 halves from −4 to 4, which every dtype holds exactly, shifted too. NaN is as far off as can be: 1.
using Softmax = std::function<Tensor(const Tensor&)>;
double softmax_error(const Softmax& softmax, DType dtype, double shift, std::uint64_t seed);

}  // namespace gradus::examples
