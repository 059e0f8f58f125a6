// What weight decay does to a weight that nothing else pulls at.
#pragma once

#include <functional>
#include <memory>

#include "optim/optimizer.h"

namespace gradus::examples {

// The mean of 256 weights that began at 1 and saw gradients N(0, scale²), after `steps` steps of what `make` makes.
using MakeOptimizer = std::function<std::unique_ptr<optim::Optimizer>(const Tensor& weights)>;
double left_in_noise(const MakeOptimizer& make, double scale, int64_t steps, std::uint64_t seed);

}  // namespace gradus::examples
