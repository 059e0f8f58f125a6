#include "nn/position/recurrent_position.h"

namespace gradus::nn {

RecurrentPosition::RecurrentPosition(const PositionOptions& o) : rnn(o.d_model, o.d_model) {}

Tensor RecurrentPosition::on_embedding(const Tensor& x, const Tensor& places) {
  Tensor none;
  return on_next_embedding(x, places, none);
}

// #region pos-rnn
Tensor RecurrentPosition::on_next_embedding(const Tensor& x, const Tensor&, Tensor& state) {
  const RecurrentOutput seen = rnn.run(x, {.hidden = state});
  state = seen.last.hidden;
  return x + seen.y;
}
// #endregion pos-rnn

}  // namespace gradus::nn
