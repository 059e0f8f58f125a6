// Recurrent: what the layers that carry a state along the sequence, Elman, GRU and LSTM, share; each adds its step.
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

struct RecurrentOptions {
  int64_t layers = 1;          // each above the first reads the outputs of the one below
  bool bidirectional = false;  // a second cell in each layer reads from the last position back (Schuster and Paliwal, 1997)
  double dropout = 0;          // p, in training, of every layer's output but the last one's
  bool layer_norm = false;     // W x and U h are normed, each by itself (Ba, Kiros and Hinton, 2016)
  bool cell_norm = false;      // of an LSTM with layer_norm, as in that paper: tanh reads the normed c
};

// The state of one cell is [B, hidden]; of several it is [layers·directions, B, hidden], as PyTorch's: a layer's cell that reads
// forward, then the one that reads back, then the next layer's.
struct RecurrentState {
  Tensor hidden = {};
  Tensor cell = {};  // of an LSTM; the others do not read it
};

struct RecurrentOutput {
  Tensor y;             // the last layer's hidden state after each position, [B, T, directions·hidden], forward before back
  RecurrentState last;  // each cell's state after the last position it read, to go on from
};

// What one cell learns. Rows stand gate after gate.
struct CellParameters {
  Parameter weight_ih, weight_hh;  // W [gates·hidden, in], U [gates·hidden, hidden]
  Parameter bias_ih, bias_hh;      // b and b' [gates·hidden]
  Parameter gain_ih, gain_hh;      // γ and γ' of layer norm [gates·hidden], from 1; undefined without
  Parameter gain_c, bias_c;        // those of cell_norm [hidden], from 1 and 0; undefined without
};

// A stack of recurrent layers over x [B, T, in], of one or two directions. With D directions, the cells above the first layer
// have D·hidden inputs. Parameters have PyTorch's names: weight_ih_l0, then weight_ih_l0_reverse, weight_ih_l1 and so on.
// The layer's own fields weight_ih, … are the parameters of its first cell.
class Recurrent : public Layer, public CellParameters {
 public:
  // All parameters start uniform in ±1/√hidden. `gates` is 1 for Elman, 3 for GRU, 4 for LSTM. ValueError unless the sizes
  // are positive, layers at most 10,000, and 0 <= dropout < 1; for a dropout with no second layer; and for a cell_norm without
  // layer_norm or of less than four gates.
  Recurrent(std::string name, int64_t in, int64_t hidden, int64_t gates, const RecurrentOptions& options = {});

  // From `state`, whose undefined tensors count as zeros. ShapeError unless x is [B, T, in] and the state fits.
  RecurrentOutput operator()(const Tensor& x, RecurrentState state);
  using Layer::operator();  // y alone, from a state of zeros
  void members(Members& m) override;
  std::string describe() const override;

  // The parameters of one cell, layers counted from 0. ValueError if there is none.
  CellParameters& cell(int64_t layer, bool reverse = false);

 protected:
  // The state after one position, from that before and the gates' parts W x + b and U h + b', a tensor [B, hidden] per gate. With
  // layer norm, over all gates of a position together, they are LN(W x) ⊙ γ + b and LN(U h) ⊙ γ' + b'.
  virtual RecurrentState step(const CellParameters& p, const Tensors& from_input, const Tensors& from_hidden,
                              const RecurrentState& before) const = 0;

 private:
  Tensor forward(const Tensor& x) override { return (*this)(x, {}).y; }

  // The cells in the state's order. Cell i is in layer i / directions().
  int64_t directions() const { return options_.bidirectional ? 2 : 1; }
  int64_t cells() const { return options_.layers * directions(); }
  CellParameters& at(int64_t i) { return i == 0 ? *this : further_[static_cast<std::size_t>(i - 1)]; }
  int64_t inputs(int64_t i) const { return i < directions() ? in_ : directions() * hidden_; }
  std::string suffix(int64_t i) const;  // "_l1_reverse"

  void check_call(const Tensor& x, RecurrentState& state);
  RecurrentOutput run(int64_t i, const Tensor& x, RecurrentState state);

  std::string name_;
  int64_t in_, hidden_;
  RecurrentOptions options_;
  std::vector<CellParameters> further_;  // of the cells after the first
};

}  // namespace gradus::nn
