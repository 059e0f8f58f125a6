// The table of chapter 05: a row of waves for each position, as sinusoidal_heatmap() gives it; and what its rows say of each other.
#pragma once

#include "core/core.h"

namespace gradus::examples {

constexpr int64_t kLength = 100, kWidth = 512;

// The dot product of every row with every other.
inline Tensor scores(const Tensor& table) { return matmul(table, table, {.transpose_b = true}); }

}  // namespace gradus::examples
