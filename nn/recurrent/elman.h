// The simple recurrent layer (Elman, 1990).
#pragma once

#include "nn/recurrent/recurrent.h"

namespace gradus::nn {

// The state h of one position from that of the one before, and the input x:
//   h ← tanh(W x + b + U h + b')
// W, U, b and b' are Recurrent's weight_ih, weight_hh, bias_ih and bias_hh.
class Elman : public Recurrent {
 public:
  Elman(int64_t in, int64_t hidden) : Recurrent("Elman", in, hidden, 1) {}

 private:
  RecurrentState step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const override;
};

}  // namespace gradus::nn
