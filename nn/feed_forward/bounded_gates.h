// Gated units with both sides bounded, so that no product of the two can grow without end: SwiGLU clamped, and SiTU.
#pragma once

#include "nn/feed_forward/feed_forward.h"

namespace gradus::nn {

// convention-swiglu-clamp: two forms, of a limit L; with c(u) = min(max(-L, u), L):
//   clamped_swiglu  f(a) = SiLU(min(a, L))          v(u) = c(u)          DeepSeek-V4 and GLM-5.3, L = 10
//   swiglu_oai      f(a) = quick GELU(min(a, L))    v(u) = c(u) + 1      gpt-oss, L = 7, with all biases
// In y = W₂ (f(W₁ x) ⊙ v(W₃ x)) the gate is clamped from above alone. Beyond a limit the slope is 0; at it, it is 1 for v and f'(L)
// for f. gpt-oss has W₁ and W₃ in one matrix, whose rows are theirs by turns; the others have one after the other.
// ValueError unless L is finite and positive.
GatedUnit clamped_swiglu(double limit = 10);
GatedUnit swiglu_oai(double limit = 7);

// SiTU, the sigmoid-tanh unit of Kimi K3 (Moonshot AI, 2026): SwiGLU whose both factors are capped smoothly.
//   f(a) = β tanh(a/β) σ(a)      v(u) = β' tanh(u/β')
// β = `limit` and β' = `value_limit`. As both grow it comes to SwiGLU. ValueError unless both are finite and positive.
GatedUnit situ(double limit = 4, double value_limit = 25);

}  // namespace gradus::nn
