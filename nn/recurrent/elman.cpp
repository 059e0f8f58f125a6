#include "nn/recurrent/elman.h"

namespace gradus::nn {

// #region model-elman
RecurrentState Elman::step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const {
  return {tanh(from_input[0] + from_hidden[0]), before.cell};
}
// #endregion model-elman

}  // namespace gradus::nn
