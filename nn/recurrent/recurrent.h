// Recurrent: what the layers that carry a state along the sequence, Elman, GRU and LSTM, share; each adds its step.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

struct RecurrentState {
  Tensor hidden = {};  // [B, hidden]
  Tensor cell = {};    // [B, hidden]; of an LSTM, the others do not read it
};

struct RecurrentOutput {
  Tensor y;             // the hidden state after each position, [B, T, hidden]
  RecurrentState last;  // the state after the last position, to go on from
};

// One layer over x [B, T, in]. Its parameters have PyTorch's names and layout: weight_ih_l0 [gates·hidden, in],
// weight_hh_l0 [gates·hidden, hidden], bias_ih_l0 and bias_hh_l0 [gates·hidden]; gate after gate along the first axis.
class Recurrent : public Layer {
 public:
  // All parameters start uniform in ±1/√hidden. `gates` is 1 for Elman, 3 for GRU, 4 for LSTM. ValueError unless both sizes
  // are positive.
  Recurrent(std::string name, int64_t in, int64_t hidden, int64_t gates);

  // From `state`, whose undefined tensors count as zeros. ShapeError unless x is [B, T, in] and the state fits.
  RecurrentOutput operator()(const Tensor& x, RecurrentState state);
  using Layer::operator();  // y alone, from a state of zeros
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  // The state after one position, from that before and the gates' parts W x + b and U h + b', a tensor [B, hidden] per gate.
  virtual RecurrentState step(const Tensors& from_input, const Tensors& from_hidden,
                              const RecurrentState& before) const = 0;

 private:
  Tensor forward(const Tensor& x) override { return (*this)(x, {}).y; }

  std::string name_;
  int64_t in_, hidden_, gates_;
};

}  // namespace gradus::nn
