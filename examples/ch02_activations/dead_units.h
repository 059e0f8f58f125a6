// Units that are negative on every row: what reaches them, and what comes back.
#pragma once

#include "examples/shared/report/chapter.h"
#include "nn/activation/activation.h"

namespace gradus::examples {

// 512 units of ReLU's usual start, with one bias for all, on 256 rows of 32 numbers N(0, 1). By the tape: the share of units
// whose weights get no gradient from any row.
double dead_share(const nn::Activation& f, double bias);

// Histograms of what those units get, x Wᵀ + bias, from −12 to 8 at each bias, and the share that is below zero on every row.
void count_preactivations(Chapter& chapter, const std::vector<double>& biases);

}  // namespace gradus::examples
