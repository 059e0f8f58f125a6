// Losses between numbers: a prediction x and a target y of one shape (ShapeError) and one floating dtype (DTypeError).
// dℓ/dy = -dℓ/dx.
#pragma once

#include "nn/loss/reduction.h"

namespace gradus::nn {

// The squared error:
//   ℓ = (x - y)²      dℓ/dx = 2 (x - y)
Tensor mse(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// The absolute error:
//   ℓ = |x - y|      dℓ/dx = sign(x - y)
// The derivative at the kink x = y is 0.
Tensor l1(const Tensor& x, const Tensor& y, Reduction reduction = Reduction::mean);

// Quadratic for small differences d = x - y and linear, with slope 1, for large ones (Girshick, 2015):
//   ℓ = ½ d² / β      dℓ/dx = d / β         where |d| < β
//   ℓ = |d| - ½ β     dℓ/dx = sign(d)      elsewhere
// It is huber with δ = β, divided by β; a β below 2⁻¹²⁶ gives the absolute error. ValueError unless β is finite and not negative.
Tensor smooth_l1(const Tensor& x, const Tensor& y, double beta = 1, Reduction reduction = Reduction::mean);

// Quadratic for small differences d = x - y and linear for large ones, so that outliers do not rule (Huber, 1964):
//   ℓ = ½ d²              dℓ/dx = d             where |d| <= δ
//   ℓ = δ (|d| - ½ δ)     dℓ/dx = δ sign(d)     elsewhere
// Both are c (d - ½ c) with c = d clamped to [-δ, δ]; δ = ∞ is half the squared error. ValueError unless δ > 0.
Tensor huber(const Tensor& x, const Tensor& y, double delta = 1, Reduction reduction = Reduction::mean);

}  // namespace gradus::nn
