#include "nn/recurrent/cells.h"

#include "nn/norm/layer_norm.h"

namespace gradus::nn {

// #region model-elman
RecurrentState Elman::step(const CellParameters&, const Tensors& from_input, const Tensors& from_hidden,
                           const RecurrentState& before) const {
  return {tanh(from_input[0] + from_hidden[0]), before.cell};
}
// #endregion model-elman

// #region model-lstm
RecurrentState LSTM::step(const CellParameters& p, const Tensors& from_input, const Tensors& from_hidden,
                          const RecurrentState& before) const {
  const Tensor input = sigmoid(from_input[0] + from_hidden[0]);
  const Tensor forget = sigmoid(from_input[1] + from_hidden[1]);
  const Tensor proposed = tanh(from_input[2] + from_hidden[2]);
  const Tensor output = sigmoid(from_input[3] + from_hidden[3]);
  const Tensor cell = forget * before.cell + input * proposed;
  const Tensor shown = p.gain_c.defined() ? layer_norm(cell, {cell.size(-1)}, p.gain_c, p.bias_c) : cell;
  return {output * tanh(shown), cell};
}
// #endregion model-lstm

// #region model-gru
RecurrentState GRU::step(const CellParameters&, const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  const Tensor reset = sigmoid(from_input[0] + from_hidden[0]);
  const Tensor update = sigmoid(from_input[1] + from_hidden[1]);
  const Tensor proposed = tanh(from_input[2] + reset * from_hidden[2]);
  return {(1 - update) * proposed + update * before.hidden, before.cell};
}
// #endregion model-gru

}  // namespace gradus::nn
