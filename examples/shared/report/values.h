// The numbers of a tensor as plain C++ has them, for drawings and for a chapter's JSON.
#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

std::vector<double> values_of(const Tensor& x);             // all, in order
std::vector<std::vector<double>> rows_of(const Tensor& x);  // [n, m]; ShapeError for another rank

}  // namespace gradus::examples
