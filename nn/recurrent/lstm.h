// Long short-term memory (Hochreiter and Schmidhuber, 1997; with the forget gate of Gers et al., 2000).
#pragma once

#include "nn/recurrent/recurrent.h"

namespace gradus::nn {

// Gates in the order input i, forget f, cell g, output o. With s = W x + b + U h + b' of each gate, from the input x and the
// state h, and the cell c:
//   c ← σ(s_f) ⊙ c + σ(s_i) ⊙ tanh(s_g)      h ← σ(s_o) ⊙ tanh(c)
// W, U, b and b' are Recurrent's weight_ih, weight_hh, bias_ih and bias_hh.
class LSTM : public Recurrent {
 public:
  LSTM(int64_t in, int64_t hidden) : Recurrent("LSTM", in, hidden, 4) {}

 private:
  RecurrentState step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const override;
};

}  // namespace gradus::nn
