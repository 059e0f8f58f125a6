// What is left of a gradient on its way down through many layers, before any training: 64 rows of width 256, no biases.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nn/activation/activation.h"

namespace gradus::examples {

// ‖dL/dh_l‖ / ‖dL/dh_L‖ for l = L … 0, where h_l = f(W h_{l−1}) and W is N(0, gain²/256).
std::vector<double> surviving(const nn::Activation& f, double gain, int layers, std::uint64_t seed);

// ‖dL/dh_0‖ / ‖dL/dh_L‖, where h_l = u(W h_{l−1}, V h_{l−1}), W is N(0, 1/256) and V N(0, gain²/256).
using Unit = std::function<Tensor(const Tensor& a, const Tensor& b)>;
struct UnitLayers {
  Unit u;
  int layers = 20;
  double gain = 1;
  bool scaled = true;  // each h_l to a root mean square of 1, by a factor without a gradient
};
double surviving_units(const UnitLayers& of, std::uint64_t seed);

}  // namespace gradus::examples
