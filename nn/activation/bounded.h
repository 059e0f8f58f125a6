// What gates with bounds are made of, each with a limit: nn/feed_forward/feed_forward.h. The first of a pair is for the gate, the
// second for the value.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor clamped_silu(const Tensor& a, double limit);
Tensor clamped_value(const Tensor& u, double limit);
Tensor clamped_quick_gelu(const Tensor& a, double limit);
Tensor clamped_value_plus_one(const Tensor& u, double limit);
Tensor situ(const Tensor& a, double limit);
Tensor softcap(const Tensor& u, double limit);
}  // namespace formula

// Each: ValueError unless its limit L is finite and positive.
namespace act {

// y = SiLU(min(a, L))      dy/da = a > L ? 0 : SiLU'(a)
Activation clamped_silu(double limit);
// y = min(max(-L, u), L)      dy/du = [-L <= u <= L]
Activation clamped_value(double limit);

// The same with quick GELU, and with 1 added.
Activation clamped_quick_gelu(double limit);
Activation clamped_value_plus_one(double limit);

// y = L t σ(a), t = tanh(a/L)      dy/da = (1 - t²) σ(a) + y (1 - σ(a))
Activation situ(double limit);
// y = L tanh(u/L)      dy/du = 1 - tanh²(u/L)
Activation softcap(double limit);

}  // namespace act

}  // namespace gradus::nn
