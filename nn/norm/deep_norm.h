// DeepNorm: a post-norm residual connection whose stream is scaled up before it is added to (Wang et al., 2022).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

namespace formula {
Tensor deep_norm(const Tensor& x, const Tensor& fx, double alpha, const Tensor& gain, const Tensor& bias, double eps);
}

// y = LN(α x + f(x)), x the sublayer's input and f(x) its result, both [..., C] (ShapeError); α = 1 is post-norm.
// With d = dL/d(α x + f(x)), layer norm's gradient:  dL/dx = α d      dL/df(x) = d
Tensor deep_norm(const Tensor& x, const Tensor& fx, double alpha, const Tensor& gain = {}, const Tensor& bias = {},
                 double eps = 1e-5);

}  // namespace gradus::nn
