// What is left of a gradient on its way down through many layers, before any training: 64 rows of width 256, no biases.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nn/activation/activation.h"

namespace gradus::examples {

// ‖dL/dh_l‖ / ‖dL/dh_L‖ for l = L … 0, where h_l = f(W h_{l−1}) and W is N(0, gain²/256).
std::vector<double> surviving(const nn::Activation& f, double gain, int layers, std::uint64_t seed);

// ‖dL/dh_0‖ / ‖dL/dh_L‖, where h_l is u(W h_{l−1}, s V h_{l−1}) scaled to a root mean square of 1, W and V are N(0, 1/256),
// and s is the size of the values.
using Unit = std::function<Tensor(const Tensor& a, const Tensor& b)>;
double surviving_units(const Unit& u, int layers, std::uint64_t seed, double value_size = 1);

}  // namespace gradus::examples
