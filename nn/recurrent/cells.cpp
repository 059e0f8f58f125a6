#include "nn/recurrent/cells.h"

namespace gradus::nn {

// #region model-elman
RecurrentState Elman::step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  return {tanh(from_input[0] + from_hidden[0]), before.cell};
}
// #endregion model-elman

// #region model-lstm
RecurrentState LSTM::step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  const Tensor input = sigmoid(from_input[0] + from_hidden[0]);
  const Tensor forget = sigmoid(from_input[1] + from_hidden[1]);
  const Tensor proposed = tanh(from_input[2] + from_hidden[2]);
  const Tensor output = sigmoid(from_input[3] + from_hidden[3]);
  const Tensor cell = forget * before.cell + input * proposed;
  return {output * tanh(cell), cell};
}
// #endregion model-lstm

// #region model-gru
RecurrentState GRU::step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  const Tensor reset = sigmoid(from_input[0] + from_hidden[0]);
  const Tensor update = sigmoid(from_input[1] + from_hidden[1]);
  const Tensor proposed = tanh(from_input[2] + reset * from_hidden[2]);
  return {(1 - update) * proposed + update * before.hidden, before.cell};
}
// #endregion model-gru

}  // namespace gradus::nn
