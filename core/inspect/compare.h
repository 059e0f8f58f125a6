// Are two tensors the same, or nearly?
#pragma once

#include "core/tensor/tensor.h"

namespace gradus {

// Are shape, dtype and every element equal? NaN equals NaN, and -0 equals 0.
bool equal(const Tensor& a, const Tensor& b);
// Is |a - b| <= absolute + relative·|b| everywhere? Equal infinities are close, NaN is close to NaN only if asked.
// ShapeError when the shapes differ, ValueError for a tolerance that is negative or not finite.
bool allclose(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8, bool equal_nan = false);
// The largest |a - b|, in f64; NaN or ∞ where one side has a NaN or an ∞ that the other has not, 0 over no elements.
// ShapeError when the shapes differ.
double max_difference(const Tensor& a, const Tensor& b);

}  // namespace gradus
