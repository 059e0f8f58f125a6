// γ and β: the gain and shift that most norms end with. Either may be missing, and is undefined then.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// x̂ ⊙ γ + β; γ and β broadcast to x̂.
Tensor affine(const Tensor& normalized, const Tensor& gain, const Tensor& bias = {});

// x̂ ⊙ γ + β with γ and β [C] along axis 1 of x̂ [N, C, …].
Tensor affine_per_channel(const Tensor& normalized, const Tensor& gain, const Tensor& bias);

// ShapeError that names `op` unless γ and β each have the shape `expected` or are undefined.
void check_affine(const char* op, const Tensor& x, const Shape& expected, const Tensor& gain, const Tensor& bias);

void check_eps(const char* type, double eps);  // ValueError that names `type` if eps is negative or NaN

}  // namespace gradus::nn
