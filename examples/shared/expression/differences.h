// Slopes without a tape: how far a result moves when one number is moved.
#pragma once

#include <functional>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// (f(x + h) − f(x − h)) / 2h for each element of x in its turn, in f64, with h = 10⁻⁵, more for elements beyond 1. Nothing is
// recorded.
std::vector<double> central_differences(const std::function<double(const Tensor&)>& f, const Tensor& x);

}  // namespace gradus::examples
