#include "nn/feed_forward/swiglu.h"

#include "core/autograd/record.h"
#include "core/kernels/gate.h"

namespace gradus::nn {

// #region ffn-swiglu-unit
Tensor formula::silu_gate(const Tensor& a, const Tensor& b) {
  const Tensor silu = a * sigmoid(a);
  return silu * b;
}
// #endregion ffn-swiglu-unit

Tensor silu_gate(const Tensor& a, const Tensor& b) {
  check<ShapeError>(a.shape() == b.shape(), "silu_gate: shapes differ: {} and {}", a.shape(), b.shape());
  if (formula_only()) return formula::silu_gate(a, b);
  return record_fused("silu_gate", kernels::silu_gate(a, b), {a, b},
                      [](const Tensors& in) { return formula::silu_gate(in[0], in[1]); },
                      [](const Step& s) {
                        auto [da, db] = kernels::silu_gate_backward(s.grad, s.input(0), s.input(1));
                        return Tensors{da, db};
                      });
}

SwiGLU::SwiGLU(const FeedForwardOptions& o)
    : w1(o.d_model, o.d_ff, {.bias = false}),
      w2(o.d_ff, o.d_model, {.bias = false}),
      w3(o.d_model, o.d_ff, {.bias = false}),
      dropout(o.dropout) {}

// #region ffn-swiglu
Tensor SwiGLU::forward(const Tensor& x) { return dropout(w2(silu_gate(w1(x), w3(x)))); }
// #endregion ffn-swiglu

void SwiGLU::members(Members& m) {
  m.child("w1", w1);
  m.child("w2", w2);
  m.child("w3", w3);
  m.child("dropout", dropout);
}

}  // namespace gradus::nn
