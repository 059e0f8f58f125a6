// Losses between numbers: a prediction and a target of the same shape (ShapeError). Both get gradients.
#pragma once

#include "nn/loss/reduction.h"

namespace gradus::nn {

// ℓ = (x - y)²      dℓ/dx = 2 (x - y)
Tensor mse(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// ℓ = |x - y|      dℓ/dx = sign(x - y), with a kink at x = y, where it is 0
Tensor l1(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// Quadratic near, straight far away, at a slope of 1 (Girshick, 2015). With d = x - y:
//   ℓ = ½ d² / β where |d| < β, else |d| - ½ β      dℓ/dx = d / β, else sign(d)
// It is Huber's loss of δ = β, divided by β; β = 0 is the absolute error. ValueError for a negative β.
Tensor smooth_l1(const Tensor& x, const Tensor& y, double beta = 1, Reduction reduction = Reduction::mean);

// Quadratic near, straight far away, so that outliers do not rule (Huber, 1964). With d = x - y:
//   ℓ = ½ d² where |d| <= δ, else δ (|d| - ½ δ)      dℓ/dx = d, else δ sign(d)
// Both are c (d - ½ c), c being d cut to [-δ, δ]; δ = ∞ is half the squared error.
// The first derivative has no jump at |d| = δ; the second falls from 1 to 0 there. ValueError unless δ > 0.
Tensor huber(const Tensor& x, const Tensor& y, double delta = 1, Reduction reduction = Reduction::mean);

}  // namespace gradus::nn
