// A recurrent encoding: a recurrent layer's memory of the sequence so far tells positions apart.
#pragma once

#include "nn/position/position_encoding.h"
#include "nn/recurrent/cells.h"

namespace gradus::nn {

namespace formula {
Tensor recurrent_position(const Tensor& x, const Elman& rnn);  // of x [B, T, C], T > 0
}

// Adds the state h of a recurrent layer to the embedding x:
//   y_t = x_t + h_t      h_t = tanh(W x_t + U h_{t-1} + b)
// Sequences may be of any length, but are read one position after the other. The numbers in `positions` are not read.
class RecurrentPosition : public PositionEncoding {
 public:
  explicit RecurrentPosition(const PositionOptions& options);

  Tensor on_embedding(const Tensor& x, const Tensor& positions) override;
  Tensor on_next_embedding(const Tensor& x, const Tensor& positions, Tensor& state) override;
  void members(Members& m) override { m.child("rnn", rnn); }

  Elman rnn;
};

}  // namespace gradus::nn
