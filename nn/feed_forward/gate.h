// Gates: y = f(a) ⊙ b. What f(a) lets through of b (Dauphin et al., 2017; Shazeer, 2020).
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor sigmoid_gate(const Tensor& a, const Tensor& b);
Tensor silu_gate(const Tensor& a, const Tensor& b);
Tensor gelu_gate(const Tensor& a, const Tensor& b);
Tensor gelu_tanh_gate(const Tensor& a, const Tensor& b);
Tensor relu_gate(const Tensor& a, const Tensor& b);

Tensor glu_unit(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c);
Tensor swiglu_unit(const Tensor& x, const Tensor& w, const Tensor& v);
Tensor geglu_unit(const Tensor& x, const Tensor& w, const Tensor& v);
}  // namespace formula

// y = f(a) ⊙ b, a and b of one shape (ShapeError)      dL/da = g ⊙ b ⊙ f'(a)      dL/db = g ⊙ f(a)
Tensor sigmoid_gate(const Tensor& a, const Tensor& b);
Tensor silu_gate(const Tensor& a, const Tensor& b);
Tensor gelu_gate(const Tensor& a, const Tensor& b);       // by erf
Tensor gelu_tanh_gate(const Tensor& a, const Tensor& b);
Tensor relu_gate(const Tensor& a, const Tensor& b);
Tensor bilinear_gate(const Tensor& a, const Tensor& b);  // no f: y = a ⊙ b, the op mul

// convention-which-half-gates: of the two halves of h = [xW + b, xV + c], f acts on the second in (xW + b) ⊗ σ(xV + c)
// (Dauphin et al., 2017), on the first in σ(xW + b) ⊗ (xV + c) (Shazeer, 2020).
enum class GateHalf { first, second };

// The units without the matrix behind them: h [..., 2n] to y [..., n]. ShapeError when the last axis is odd.
Tensor glu_unit(const Tensor& h, GateHalf gate = GateHalf::second);
Tensor swiglu_unit(const Tensor& h, GateHalf gate = GateHalf::second);
Tensor geglu_unit(const Tensor& h, GateHalf gate = GateHalf::second);

}  // namespace gradus::nn
