// Initialisation: what a parameter is before training.
#pragma once

#include "core/kernels/random.h"

namespace gradus::nn {

// N(0, std²) in place.
void init_normal(Tensor& parameter, double std, Generator& generator = default_generator());

// Uniform in ±gain·√(6 / (fan_in + fan_out)) for a matrix [out, in]: keeps the variance of values and of gradients
// when both fans are equal (Glorot and Bengio, 2010). ShapeError unless a matrix.
void init_xavier_uniform(Tensor& parameter, double gain = 1, Generator& generator = default_generator());

}  // namespace gradus::nn
