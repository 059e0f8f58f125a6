// How near the gradient is to the natural gradient, unit by unit (Amari, 1998; Clevert, Unterthiner and Hochreiter, 2016).
#pragma once

#include "examples/shared/data/digits.h"
#include "nn/sequential.h"

namespace gradus::examples {

// The cosine of the angle between the gradient g of a unit's weights and bias and its natural gradient (F + λ I)⁻¹ g: the mean
// over all units that read hidden units and have a gradient. With ã = (what the unit reads, 1) and δ = d(log p of a label)/dz,
// z = (w, b) · ã, its Fisher matrix is
//   F = mean over the images of  Σ_k p_k δ_k² ã ãᵀ
// where k goes over all labels as the network expects them; λ is `damping` times the mean of F's diagonal. All in f64.
double cosine_with_natural_gradient(nn::Sequential& net, const Digits& digits, double damping);

// x, where A x = b for a symmetric positive definite A [n, n], row by row (Cholesky). ValueError if A is not.
std::vector<double> solved(std::vector<double> a, std::vector<double> b);

}  // namespace gradus::examples
