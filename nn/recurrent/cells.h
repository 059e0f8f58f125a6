// The recurrent cells: Elman's, LSTM and GRU. In each, h is the state before and x the input; W, U, b and b' are Recurrent's
// weight_ih, weight_hh, bias_ih and bias_hh.
#pragma once

#include "nn/recurrent/recurrent.h"

namespace gradus::nn {

// The simple recurrent layer (Elman, 1990):
//   h ← tanh(W x + b + U h + b')
class Elman : public Recurrent {
 public:
  Elman(int64_t in, int64_t hidden, const RecurrentOptions& options = {}) : Recurrent("Elman", in, hidden, 1, options) {}

 private:
  RecurrentState step(const CellParameters& p, const Tensors& from_input, const Tensors& from_hidden,
                      const RecurrentState& before) const override;
};

// Long short-term memory (Hochreiter and Schmidhuber, 1997; with the forget gate of Gers et al., 2000). Gates in the order
// input i, forget f, cell g, output o. With s = W x + b + U h + b' of each gate, and the cell c:
//   c ← σ(s_f) ⊙ c + σ(s_i) ⊙ tanh(s_g)      h ← σ(s_o) ⊙ tanh(c)
// With cell_norm, h ← σ(s_o) ⊙ tanh(LN(c) ⊙ γ + β). convention-lstm-carried-cell: the c that is carried on is not normed; PyTorch's
// example of a layer-norm LSTM carries LN(c).
class LSTM : public Recurrent {
 public:
  LSTM(int64_t in, int64_t hidden, const RecurrentOptions& options = {}) : Recurrent("LSTM", in, hidden, 4, options) {}

 private:
  RecurrentState step(const CellParameters& p, const Tensors& from_input, const Tensors& from_hidden,
                      const RecurrentState& before) const override;
};

// The gated recurrent unit (Cho et al., 2014), whose reset gate acts after the product with U. Gates in the order reset,
// update, new. With a = W x + b and c = U h + b' of each gate:
//   r = σ(a_r + c_r)      z = σ(a_z + c_z)      n = tanh(a_n + r ⊙ c_n)      h ← (1 - z) ⊙ n + z ⊙ h
class GRU : public Recurrent {
 public:
  GRU(int64_t in, int64_t hidden, const RecurrentOptions& options = {}) : Recurrent("GRU", in, hidden, 3, options) {}

 private:
  RecurrentState step(const CellParameters& p, const Tensors& from_input, const Tensors& from_hidden,
                      const RecurrentState& before) const override;
};

}  // namespace gradus::nn
