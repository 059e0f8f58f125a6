// The experiment of chapter 05: how wide must the projection be?
#pragma once

#include <vector>

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// The share of the scores' variance that distance explains, one number a seed, sorted.
std::vector<double> shares(const Chapter& chapter, const Tensor& table, int64_t width, bool shared = false);

// The shares at widths from 4 to 512, with W_q and W_k apart and with W_k = W_q.
void widths(Chapter& chapter, const Tensor& table);

}  // namespace gradus::examples
