#include "nn/recurrent/lstm.h"

namespace gradus::nn {

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

}  // namespace gradus::nn
