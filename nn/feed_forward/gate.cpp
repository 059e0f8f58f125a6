#include "nn/feed_forward/gate.h"

#include "core/tape/record.h"
#include "nn/feed_forward/gate_kernel.h"
#include "nn/activation/gelu.h"
#include "nn/activation/swish.h"

namespace gradus::nn {

using kernels::Curve;
using Gate = Tensor (*)(const Tensor& a, const Tensor& b);

Tensor formula::sigmoid_gate(const Tensor& a, const Tensor& b) { return gradus::sigmoid(a) * b; }
Tensor formula::silu_gate(const Tensor& a, const Tensor& b) { return silu(a) * b; }
Tensor formula::gelu_gate(const Tensor& a, const Tensor& b) { return gelu(a) * b; }
Tensor formula::gelu_tanh_gate(const Tensor& a, const Tensor& b) { return gelu_tanh(a) * b; }
Tensor formula::relu_gate(const Tensor& a, const Tensor& b) { return gradus::relu(a) * b; }

// #region ffn-glu-unit
Tensor formula::glu_unit(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c) {
  return (matmul(x, w) + b) * gradus::sigmoid(matmul(x, v) + c);
}
// #endregion ffn-glu-unit

// #region ffn-swiglu-unit
Tensor formula::swiglu_unit(const Tensor& x, const Tensor& w, const Tensor& v) {
  return matmul(x, w) * silu(matmul(x, v));
}
// #endregion ffn-swiglu-unit

// #region ffn-geglu-unit
Tensor formula::geglu_unit(const Tensor& x, const Tensor& w, const Tensor& v) {
  return matmul(x, w) * gelu(matmul(x, v));
}
// #endregion ffn-geglu-unit

namespace {

Tensor fused(const char* name, Curve curve, const Tensor& a, const Tensor& b, Gate formula) {
  check<ShapeError>(a.shape() == b.shape(), "{}: shapes differ: {} and {}", name, a.shape(), b.shape());
  if (formula_only()) return formula(a, b);
  return record_fused(name, kernels::gate(name, curve, a, b), {a, b},
                      [formula](const Tensors& in) { return formula(in[0], in[1]); },
                      [name, curve](const Backward& s) {
                        auto [da, db] = kernels::gate_backward(name, curve, s.grad, s.input(0), s.input(1));
                        return Tensors{da, db};
                      });
}

Tensor unit(const char* name, Gate gate, const Tensor& h, GateHalf half) {
  check<ShapeError>(h.rank() > 0 && h.size(-1) % 2 == 0, "{}: needs two equal halves along the last axis, got shape {}",
                    name, h.shape());
  const int64_t n = h.size(-1) / 2;
  const Tensor first = slice(h, -1, 0, n), second = slice(h, -1, n);
  return half == GateHalf::first ? gate(first, second) : gate(second, first);
}

}  // namespace

Tensor sigmoid_gate(const Tensor& a, const Tensor& b) {
  return fused("sigmoid_gate", {Curve::Kind::sigmoid}, a, b, formula::sigmoid_gate);
}
Tensor silu_gate(const Tensor& a, const Tensor& b) {
  return fused("silu_gate", {Curve::Kind::swish, 1}, a, b, formula::silu_gate);
}
Tensor gelu_gate(const Tensor& a, const Tensor& b) {
  return fused("gelu_gate", {Curve::Kind::gelu}, a, b, formula::gelu_gate);
}
Tensor gelu_tanh_gate(const Tensor& a, const Tensor& b) {
  return fused("gelu_tanh_gate", {Curve::Kind::gelu_tanh}, a, b, formula::gelu_tanh_gate);
}
Tensor relu_gate(const Tensor& a, const Tensor& b) {
  return fused("relu_gate", {Curve::Kind::relu}, a, b, formula::relu_gate);
}
Tensor bilinear_gate(const Tensor& a, const Tensor& b) {
  check<ShapeError>(a.shape() == b.shape(), "bilinear_gate: shapes differ: {} and {}", a.shape(), b.shape());
  return a * b;
}

Tensor glu_unit(const Tensor& h, GateHalf gate) { return unit("glu_unit", sigmoid_gate, h, gate); }
Tensor swiglu_unit(const Tensor& h, GateHalf gate) { return unit("swiglu_unit", silu_gate, h, gate); }
Tensor geglu_unit(const Tensor& h, GateHalf gate) { return unit("geglu_unit", gelu_gate, h, gate); }

}  // namespace gradus::nn
