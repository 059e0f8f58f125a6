// Recurrent layers: a state is carried along the sequence. What Elman, GRU and LSTM share; each brings its cell.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

struct RecurrentState {
  Tensor hidden = {};  // [B, hidden]
  Tensor cell = {};    // of an LSTM, [B, hidden]
};

struct RecurrentOutput {
  Tensor y;             // the hidden state after each position, [B, T, hidden]
  RecurrentState last;  // to go on from
};

// One layer over x [B, T, in]. Parameters as PyTorch names and lays them out: weight_ih_l0 [gates·hidden, in],
// weight_hh_l0 [gates·hidden, hidden], bias_ih_l0 and bias_hh_l0 [gates·hidden]; gate after gate along the first axis.
class Recurrent : public Layer {
 public:
  // All start uniform in ±1/√hidden. ValueError unless both sizes are positive.
  Recurrent(std::string name, int64_t in, int64_t hidden, int64_t gates);

  // An undefined state is zeros. ShapeError unless x is [B, T, in] and the state fits.
  RecurrentOutput run(const Tensor& x, RecurrentState state = {}) const;
  Tensor forward(const Tensor& x) override { return run(x).y; }
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  // One position: the gates' parts from the input and from the state, W x + b and U h + b', each [B, hidden].
  virtual RecurrentState step(const Tensors& from_input, const Tensors& from_hidden,
                              const RecurrentState& before) const = 0;

 private:
  std::string name_;
  int64_t hidden_;
};

}  // namespace gradus::nn
