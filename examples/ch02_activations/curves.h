// An activation's curve, with its derivative from the tape.
#pragma once

#include <vector>

#include "nn/activation/activation.h"

namespace gradus::examples {

struct Curve { std::vector<double> x, y, slope; };

Curve curve(const nn::Activation& f, double from, double to, int points);

}  // namespace gradus::examples
