// Tensors to test with.
#pragma once

#include <functional>
#include <vector>

#include "core/tensor/create.h"
#include "core/tensor/random.h"

namespace gradus::test {

using UnaryFunction = std::function<Tensor(const Tensor&)>;

inline Tensor f64(const Nested& values) { return tensor(values, DType::f64); }
inline Tensor ids(const Nested& values) { return tensor(values, DType::i64); }
inline Tensor leaf(const Nested& values, DType dtype = DType::f64) { return tensor(values, dtype).set_requires_grad(); }

// Every one of 64 bits, which `ids` would take for doubles.
inline Tensor whole(const std::vector<int64_t>& values) { return from_vector(values, {static_cast<int64_t>(values.size())}); }

// f64, uniform in [low, high), or in ±2; the same for the same seed.
inline Tensor draw(const Shape& shape, double low, double high, std::uint64_t seed) {
  Generator generator(seed);
  return uniform(shape, low, high, DType::f64, generator);
}
inline Tensor draw(const Shape& shape, std::uint64_t seed = 1) { return draw(shape, -2, 2, seed); }

}  // namespace gradus::test
