// The gated recurrent unit (Cho et al., 2014), in the form where the reset gate acts after the product with U.
#pragma once

#include "nn/recurrent/recurrent.h"

namespace gradus::nn {

// Gates in the order reset, update, new. With a = W x + b and c = U h + b' of each gate, from the input x and the state h:
//   r = σ(a_r + c_r)      z = σ(a_z + c_z)      n = tanh(a_n + r ⊙ c_n)      h ← (1 - z) ⊙ n + z ⊙ h
// W, U, b and b' are Recurrent's weight_ih, weight_hh, bias_ih and bias_hh.
class GRU : public Recurrent {
 public:
  GRU(int64_t in, int64_t hidden) : Recurrent("GRU", in, hidden, 3) {}

 private:
  RecurrentState step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const override;
};

}  // namespace gradus::nn
