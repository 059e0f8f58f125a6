// Gates: y = f(a) ⊙ b, what f(a) lets through of b (Dauphin et al., 2017; Shazeer, 2020).
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor gate(const Activation& f, const Tensor& a, const Tensor& b);
Tensor gated_unit(const Activation& f, const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c);
Tensor swish_gate(const Tensor& a, const Tensor& b, const Tensor& beta);
}  // namespace formula

// y = f(a) ⊙ b      dL/da = g ⊙ b ⊙ f'(a)      dL/db = g ⊙ f(a), with g = dL/dy
// a and b of one shape (ShapeError), and of one floating dtype (DTypeError).
Tensor gate(const Activation& f, const Tensor& a, const Tensor& b);

// The gate of a Swish whose β is learned, of shape []. With g = dL/dy and σ' = σ(1 - σ):
//   y = a σ(βa) ⊙ b      dL/dβ = Σ g ⊙ b ⊙ a² σ'(βa)
// a and b of one shape (ShapeError), and all of one floating dtype (DTypeError).
Tensor swish_gate(const Tensor& a, const Tensor& b, const Tensor& beta);

// The half of h that f acts on. convention-which-half-gates: of h = [xW + b, xV + c] it is the second in
// (xW + b) ⊗ σ(xV + c) (Dauphin et al., 2017), and the first in σ(xW + b) ⊗ (xV + c) (Shazeer, 2020).
enum class GateHalf { first, second };

// The gate of the two halves of h, without the matrix W₂ after it: h [..., 2n] to y [..., n]. ShapeError if the last axis is
// odd. GLU for f = act::sigmoid, SwiGLU for act::silu, GeGLU for act::gelu.
Tensor gated_unit(const Activation& f, const Tensor& h, GateHalf half = GateHalf::second);

}  // namespace gradus::nn
