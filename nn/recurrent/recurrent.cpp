#include "nn/recurrent/recurrent.h"

#include <cmath>

#include "core/options/range.h"
#include "core/tensor/random.h"
#include "nn/call_scope.h"
#include "nn/check_inputs.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {
namespace {

// What W x, or U h, gives to the gates: y + b, with layer norm LN(y) ⊙ γ + b.
Tensor shifted(const Tensor& y, const Parameter& gain, const Parameter& bias) {
  return gain.defined() ? layer_norm(y, {y.size(-1)}, gain, bias) : y + bias;
}

}  // namespace

Recurrent::Recurrent(std::string name, int64_t in, int64_t hidden, int64_t gates, const RecurrentOptions& options)
    : name_(std::move(name)), in_(in), hidden_(hidden), options_(options) {
  constexpr int64_t most_layers = 10'000;
  const int64_t layers = options.layers;
  check_map_sizes(in, hidden, name_.c_str());
  check_size("the number of gates", gates, name_.c_str());
  check_size("the number of layers", layers, name_.c_str());
  check<ValueError>(layers <= most_layers, "{}: the number of layers must be at most {}, got {}", name_, most_layers, layers);
  check_range("dropout", options.dropout, range::below_one, name_.c_str());
  check<ValueError>(options.dropout == 0 || layers > 1,
                    "{}: dropout acts between layers, and there is one; take more layers, or a Dropout after this one", name_);
  check<ValueError>(!options.cell_norm || (options.layer_norm && gates == 4),
                    "{}: cell_norm is the norm of an LSTM's cell, beside layer_norm; take an LSTM with layer_norm", name_);
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  further_.resize(static_cast<std::size_t>(cells() - 1));
  for (int64_t i = 0; i < cells(); ++i) {
    CellParameters& p = at(i);
    p.weight_ih = uniform({gates * hidden, inputs(i)}, -bound, bound);
    p.weight_hh = uniform({gates * hidden, hidden}, -bound, bound);
    p.bias_ih = uniform({gates * hidden}, -bound, bound);
    p.bias_hh = uniform({gates * hidden}, -bound, bound);
    if (!options.layer_norm) continue;
    p.gain_ih = ones({gates * hidden});
    p.gain_hh = ones({gates * hidden});
    if (!options.cell_norm) continue;
    p.gain_c = ones({hidden});
    p.bias_c = zeros({hidden});
  }
}

void Recurrent::check_call(const Tensor& x, RecurrentState& state) {
  check_inputs({{"x", x}}, {{"state.hidden", state.hidden}, {"state.cell", state.cell}, {"weight_ih", at(0).weight_ih}}, name_.c_str());
  check<ShapeError>(x.rank() == 3 && x.size(2) == in_, "expected [B, T, {}], got {}", in_, x.shape());
  const Shape state_shape = cells() == 1 ? Shape{x.size(0), hidden_} : Shape{cells(), x.size(0), hidden_};
  for (Tensor* part : {&state.hidden, &state.cell}) {
    if (!part->defined()) *part = zeros(state_shape, x.dtype());
    check<ShapeError>(part->shape() == state_shape, "expected a state of shape {}, got {}", state_shape, part->shape());
  }
}

// Cell i over x [B, T, inputs(i)].
RecurrentOutput Recurrent::run(int64_t i, const Tensor& x, RecurrentState state) {
  const CellParameters& p = at(i);
  const Tensor from_input = shifted(matmul(x, p.weight_ih, {.transpose_b = true}), p.gain_ih, p.bias_ih);  // of all positions
  const int64_t length = x.size(1);
  const bool reverse = i % directions() == 1;
  Tensors outputs(static_cast<std::size_t>(length));
  for (int64_t read = 0; read < length; ++read) {
    const int64_t t = reverse ? length - 1 - read : read;
    const Tensor from_hidden = shifted(matmul(state.hidden, p.weight_hh, {.transpose_b = true}), p.gain_hh, p.bias_hh);
    state = step(p, split(select(from_input, 1, t), hidden_, -1), split(from_hidden, hidden_, -1), state);
    outputs[static_cast<std::size_t>(t)] = state.hidden;
  }
  return {outputs.empty() ? zeros({x.size(0), 0, hidden_}, x.dtype()) : stack(outputs, 1), state};
}

RecurrentOutput Recurrent::operator()(const Tensor& x, RecurrentState state) {
  const CallScope call(*this);
  check_call(x, state);
  if (cells() == 1) return run(0, x, state);
  Tensor y = x;
  Tensors hiddens, carried;
  for (int64_t layer = 0; layer < options_.layers; ++layer) {
    if (layer > 0 && training() && options_.dropout > 0) y = dropout(y, options_.dropout);
    Tensors sides;
    for (int64_t i = layer * directions(); i < (layer + 1) * directions(); ++i) {
      const RecurrentOutput side = run(i, y, {select(state.hidden, 0, i), select(state.cell, 0, i)});
      sides.push_back(side.y);
      hiddens.push_back(side.last.hidden);
      carried.push_back(side.last.cell);
    }
    y = cat(sides, -1);
  }
  return {y, {stack(hiddens, 0), stack(carried, 0)}};
}

void Recurrent::members(Members& m) {
  for (int64_t i = 0; i < cells(); ++i) {
    CellParameters& p = at(i);
    m.parameter("weight_ih" + suffix(i), p.weight_ih);
    m.parameter("weight_hh" + suffix(i), p.weight_hh);
    m.parameter("bias_ih" + suffix(i), p.bias_ih, Role::bias);
    m.parameter("bias_hh" + suffix(i), p.bias_hh, Role::bias);
    m.parameter("gain_ih" + suffix(i), p.gain_ih, Role::gain);
    m.parameter("gain_hh" + suffix(i), p.gain_hh, Role::gain);
    m.parameter("gain_c" + suffix(i), p.gain_c, Role::gain);
    m.parameter("bias_c" + suffix(i), p.bias_c, Role::bias);
  }
}

CellParameters& Recurrent::cell(int64_t layer, bool reverse) {
  check_still_here();
  check<ValueError>(0 <= layer && layer < options_.layers, "{}: has layers 0 … {}, no layer {}", name_, options_.layers - 1, layer);
  check<ValueError>(!reverse || options_.bidirectional, "{}: reads in one direction; set bidirectional for a reverse cell", name_);
  return at(layer * directions() + (reverse ? 1 : 0));
}

std::string Recurrent::suffix(int64_t i) const { return fmt::format("_l{}{}", i / directions(), i % directions() == 1 ? "_reverse" : ""); }

std::string Recurrent::describe() const {
  return fmt::format("{}({} -> {}{}{}{}{}{})", name_, in_, hidden_, options_.layers > 1 ? fmt::format(", {} layers", options_.layers) : "",
                     options_.bidirectional ? ", bidirectional" : "",
                     options_.dropout > 0 ? fmt::format(", dropout {}", options_.dropout) : "", options_.layer_norm ? ", layer norm" : "",
                     options_.cell_norm ? ", cell norm" : "");
}

}  // namespace gradus::nn
