// What the claims of feed-forward layers measure: what comes back along the value of a gate, and what a rounded width costs.
#pragma once

#include <cstdint>

#include "nn/activation/activation.h"

namespace gradus::examples {

// log₁₀ of the gradient that layers of f(a) ⊙ b leave / that f(a) ⊙ tanh(b) leaves, with the same weights, at their start
// (see surviving_units). The second has the same gate, and no linear path (van den Oord et al., 2016). The weights are those
// with which f(a) ⊙ b keeps the size of what goes in; `scaled`: so are the layers, each.
double decades_over_tanh(const nn::Activation& f, int layers, bool scaled, std::uint64_t seed);

// Time of a SwiGLU layer of the first hidden width / of the second, forward and backward, 64 rows, on one thread.
double time_of_widths(int64_t d_model, int64_t first, int64_t second);

}  // namespace gradus::examples
