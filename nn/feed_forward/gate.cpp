#include "nn/feed_forward/gate.h"

#include "nn/activation/swish.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// y = f(a) ⊙ b      dL/da = dL/dy ⊙ b ⊙ f'(a)      dL/db = dL/dy ⊙ f(a)
Tensor formula::gate(const Activation& f, const Tensor& a, const Tensor& b) { return f.by_formula(a) * b; }

// #region ffn-glu-unit
// #region ffn-swiglu-unit
// #region ffn-geglu-unit
// (x W + b) ⊗ f(x V + c), where GLU, f = σ, has biases; SwiGLU, f = SiLU, and GeGLU, f = GELU, have none
Tensor formula::gated_unit(const Activation& f, const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c) {
  const Tensor value = matmul(x, w), gate = matmul(x, v);
  if (!b.defined()) return value * f(gate);
  return (value + b) * f(gate + c);
}
// #endregion ffn-geglu-unit
// #endregion ffn-swiglu-unit
// #endregion ffn-glu-unit

Tensor gate(const Activation& f, const Tensor& a, const Tensor& b) {
  check_inputs({{"a", a}, {"b", b}});
  check<ShapeError>(a.shape() == b.shape(), "gate({}): shapes differ: {} and {}", f.name(), a.shape(), b.shape());
  std::unique_ptr<FastPath> kernel = f.make_gate_kernel();
  if (kernel == nullptr) return f(a) * b;
  return fused("gate", {a, b}, [f](const Tensors& in) { return formula::gate(f, in[0], in[1]); }, std::move(kernel));
}

// #region ffn-swiglu-beta
// y = W₂ h, h = (a σ(βa)) ⊙ b of a = W₁ x and b = W₃ x      dL/dβ = Σ dL/dh ⊙ b ⊙ a² σ'(βa)
Tensor formula::swish_gate(const Tensor& a, const Tensor& b, const Tensor& beta) { return swish(a, beta) * b; }
// #endregion ffn-swiglu-beta

Tensor swish_gate(const Tensor& a, const Tensor& b, const Tensor& beta) {
  check_inputs({{"a", a}, {"b", b}, {"beta", beta}});
  check<ShapeError>(a.shape() == b.shape(), "swish_gate: shapes differ: {} and {}", a.shape(), b.shape());
  return learned_swish(a, beta) * b;
}

Tensor gated_unit(const Activation& f, const Tensor& h, GateHalf half) {
  check_inputs({{"h", h}});
  check<ShapeError>(h.rank() > 0 && h.size(-1) % 2 == 0, "gated_unit({}): needs two equal halves along the last axis, got shape {}",
                    f.name(), h.shape());
  const int64_t n = h.size(-1) / 2;
  const Tensor first = slice(h, -1, 0, n), second = slice(h, -1, n);
  return half == GateHalf::first ? gate(f, first, second) : gate(f, second, first);
}

}  // namespace gradus::nn
