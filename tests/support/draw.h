// Numbers to test with.
#pragma once

#include "core/tensor/random.h"

namespace gradus::test {

// f64, uniform in ±2; the same for the same seed.
inline Tensor draw(const Shape& shape, std::uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, -2, 2, DType::f64, generator);
}

}  // namespace gradus::test
