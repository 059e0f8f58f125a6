// The simple recurrent layer (Elman, 1990).
#pragma once

#include "nn/recurrent/recurrent.h"

namespace gradus::nn {

// h' = tanh(W x + b + U h + b')
class Elman : public Recurrent {
 public:
  Elman(int64_t in, int64_t hidden) : Recurrent("Elman", in, hidden, 1) {}

 protected:
  RecurrentState step(const Tensors& from_input, const Tensors& from_hidden, const RecurrentState& before) const override;
};

}  // namespace gradus::nn
