// What the tests of the norms share.
#pragma once

#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

namespace gradus::test {

// The i-th input, or none.
inline Tensor argument(const Tensors& in, std::size_t i) { return in.size() > i ? in[i] : Tensor(); }

inline Tensor constant(const Shape& shape, double value) { return full(shape, value, DType::f64); }

inline std::string norm_against_pytorch(const std::string& name, const TensorFunction& f) {
  return against_pytorch(name, f, "norm.safetensors");
}

// For formulas without a fast path: first and second derivatives against differences.
inline std::string check_derivatives(const TensorFunction& f, const Tensors& inputs) {
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  return (first.passed && first.kinks == 0 ? "" : first.text) + (second.passed && second.kinks == 0 ? "" : second.text);
}

inline Tensor gradient(const Tensor& y, const Tensor& x, const Tensor& seed) { return grad({y}, {x}, {.seeds = {seed}})[0]; }

// Shapes for property tests: rows × n, another for every seed.
inline Shape some_shape(std::uint64_t seed) {
  Generator generator(seed + 100);
  return {1 + generator.below(5), 2 + generator.below(30)};
}

}  // namespace gradus::test
