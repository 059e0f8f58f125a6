// The exercises' definitions, and what they share.
#pragma once

#include <cstdint>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

// Numbers of N(mean, 1) · size, the same for the same seed: [shape].
Array drawn(const std::string& name, std::vector<int> shape, std::uint64_t seed, double size = 1, double mean = 0);

// Between the library's tensors, in f64, and arrays.
Tensor tensor_of(const Array& array);
Array array_of(const std::string& name, const Tensor& tensor);

namespace set {
Exercise rms_norm_exercise();
}  // namespace set

}  // namespace gradus::exercises
