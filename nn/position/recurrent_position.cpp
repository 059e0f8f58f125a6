#include "nn/position/recurrent_position.h"

namespace gradus::nn {

// #region pos-rnn
Tensor formula::recurrent_position(const Tensor& x, const Elman& rnn) {
  Tensor h = zeros({x.size(0), x.size(2)}, x.dtype());
  Tensors y;
  for (int64_t t = 0; t < x.size(1); ++t) {
    const Tensor x_t = select(x, 1, t);
    h = tanh(matmul(x_t, rnn.weight_ih, {.transpose_b = true}) + rnn.bias_ih + matmul(h, rnn.weight_hh, {.transpose_b = true}) +
             rnn.bias_hh);
    y.push_back(x_t + h);
  }
  return stack(y, 1);
}
// #endregion pos-rnn

RecurrentPosition::RecurrentPosition(const PositionOptions& o) : PositionEncoding("RecurrentPosition", o), rnn(o.d_model, o.d_model) {}

Tensor RecurrentPosition::on_embedding(const Tensor& x, const Tensor& positions) {
  Tensor none;
  return on_next_embedding(x, positions, none);
}

Tensor RecurrentPosition::on_next_embedding(const Tensor& x, const Tensor&, Tensor& state) {
  const RecurrentOutput seen = rnn(x, {.hidden = state});
  state = seen.last.hidden;
  return x + seen.y;
}

}  // namespace gradus::nn
