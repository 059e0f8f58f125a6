#include "nn/block/gru_gate.h"

namespace gradus::nn {

// #region block-gru-gate
Stream GruGate::step(std::size_t i, const Stream& s, const Sublayer& f) {
  Gate& g = gates_[i];
  const Tensor y = relu(f(norm(i)(s.x)));
  const Tensors w = chunk(g.branch(y), 3, -1), u = chunk(g.stream(s.x), 2, -1);
  const Tensor r = sigmoid(w[0] + u[0]), z = sigmoid(w[1] + u[1] - g.bias);
  const Tensor h = tanh(w[2] + g.candidate(r * s.x));
  return {s.x + z * (h - s.x)};
}
// #endregion block-gru-gate

GruGate::GruGate(const PlacementOptions& o) : Placement(o, 1) {
  const int64_t d = o.d_model;
  for (std::size_t i = 0; i < order().size(); ++i) {
    gates_.push_back({Linear(d, 3 * d, {.bias = false}), Linear(d, 2 * d, {.bias = false}), Linear(d, d, {.bias = false}), full({d}, 2)});
  }
}

void GruGate::members(Members& m) {
  for (std::size_t i = 0; i < gates_.size(); ++i) {
    m.child(fmt::format("norm{}", i + 1), norm(i));
    m.child(fmt::format("branch{}", i + 1), gates_[i].branch);
    m.child(fmt::format("stream{}", i + 1), gates_[i].stream);
    m.child(fmt::format("candidate{}", i + 1), gates_[i].candidate);
    m.parameter(fmt::format("bias{}", i + 1), gates_[i].bias, Role::bias);
  }
}

}  // namespace gradus::nn
