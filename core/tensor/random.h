// Tensors of random numbers. The values depend on the generator alone, not on the number of threads.
#pragma once

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace gradus {

// Independent standard normal values (Box and Muller, 1958).
Tensor randn(const Shape& shape, DType dtype = DType::f32, Generator& generator = default_generator());
// Uniform in [low, high); rounding to a narrow dtype may give `high` itself. ValueError unless low <= high and high - low is
// finite.
Tensor uniform(const Shape& shape, double low = 0, double high = 1, DType dtype = DType::f32, Generator& generator = default_generator());
// Integers in [low, high), i64. ValueError unless low < high.
Tensor randint(int64_t low, int64_t high, const Shape& shape, Generator& generator = default_generator());
// A random order of 0 … count-1, i64.
Tensor randperm(int64_t count, Generator& generator = default_generator());

}  // namespace gradus
