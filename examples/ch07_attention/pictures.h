// Pictures of chapter 07: maps of causes and of weights.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/shared/report/drawing.h"

namespace gradus::examples {

using Numbers = std::vector<std::vector<double>>;

// Rows t, columns s, on a logarithmic scale of four decades; an empty cell is exactly 0. Without a name it is a panel's own
// drawing, whose title and sentence say what is to be seen.
std::string causal_picture(const Numbers& map, const std::string& name = "", double cell = 16);
std::string weights_picture(const Tensor& probabilities, const std::string& alt = "", double cell = 14);  // [T, S]
HeatMap weights_map(const Tensor& probabilities);                                                         // the same as it is, for its key

}  // namespace gradus::examples
