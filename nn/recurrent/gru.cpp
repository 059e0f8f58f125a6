#include "nn/recurrent/gru.h"

namespace gradus::nn {

// #region model-gru
RecurrentState GRU::step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  const Tensor reset = sigmoid(from_input[0] + from_hidden[0]);
  const Tensor update = sigmoid(from_input[1] + from_hidden[1]);
  const Tensor proposed = tanh(from_input[2] + reset * from_hidden[2]);
  return {(1 - update) * proposed + update * before.hidden, before.cell};
}
// #endregion model-gru

}  // namespace gradus::nn
