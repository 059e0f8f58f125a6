// What the claims of feed-forward layers measure: what comes back along the value of a gate, and what a rounded width costs.
#pragma once

#include <cstdint>

#include "nn/activation/activation.h"

namespace gradus::examples {

// log₁₀ of the gradient that f(a) ⊙ b leaves / that f(a) ⊙ tanh(b) leaves, through so many layers of them at their start (see
// surviving_units), where b is of this size. The second has the same gate, and no linear path. (van den Oord et al., 2016)
double decades_over_tanh(const nn::Activation& f, int layers, double value_size, std::uint64_t seed);

// Time of a SwiGLU layer of the first hidden width / of the second, forward and backward, 256 rows, on one thread.
double time_of_widths(int64_t d_model, int64_t first, int64_t second);

}  // namespace gradus::examples
