#include "nn/recurrent/recurrent.h"

#include <cmath>

#include "core/options/range.h"
#include "core/tensor/random.h"
#include "nn/check_inputs.h"
#include "nn/linear.h"

namespace gradus::nn {

Recurrent::Recurrent(std::string name, int64_t in, int64_t hidden, int64_t gates)
    : name_(std::move(name)), in_(in), hidden_(hidden), gates_(gates) {
  check_map_sizes(in, hidden, name_.c_str());
  check_size("the number of gates", gates, name_.c_str());
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  weight_ih = uniform({gates * hidden, in}, -bound, bound);
  weight_hh = uniform({gates * hidden, hidden}, -bound, bound);
  bias_ih = uniform({gates * hidden}, -bound, bound);
  bias_hh = uniform({gates * hidden}, -bound, bound);
}

RecurrentOutput Recurrent::operator()(const Tensor& x, RecurrentState state) {
  const CallScope call(*this);
  check_inputs({{"x", x}, {"weight_ih", weight_ih}, {"weight_hh", weight_hh}, {"bias_ih", bias_ih}, {"bias_hh", bias_hh}},
               {{"state.hidden", state.hidden}, {"state.cell", state.cell}}, name_.c_str());
  const int64_t rows = gates_ * hidden_;
  check_parameters({{"weight_ih", weight_ih, {rows, in_}}, {"weight_hh", weight_hh, {rows, hidden_}},
                                   {"bias_ih", bias_ih, {rows}}, {"bias_hh", bias_hh, {rows}}}, name_.c_str());
  check<ShapeError>(x.rank() == 3 && x.size(2) == in_, "{}: expected [B, T, {}], got {}", name_, in_, x.shape());
  const Shape state_shape{x.size(0), hidden_};
  for (Tensor* part : {&state.hidden, &state.cell}) {
    if (!part->defined()) *part = zeros(state_shape, x.dtype());
    check<ShapeError>(part->shape() == state_shape, "{}: expected a state of shape {}, got {}", name_, state_shape,
                      part->shape());
  }
  const Tensor from_input = matmul(x, weight_ih, {.transpose_b = true}) + bias_ih;  // of all positions at once
  Tensors outputs;
  for (int64_t t = 0; t < x.size(1); ++t) {
    const Tensor from_hidden = matmul(state.hidden, weight_hh, {.transpose_b = true}) + bias_hh;
    state = step(split(select(from_input, 1, t), hidden_, -1), split(from_hidden, hidden_, -1), state);
    outputs.push_back(state.hidden);
  }
  return {outputs.empty() ? zeros({x.size(0), 0, hidden_}, x.dtype()) : stack(outputs, 1), state};
}

void Recurrent::members(Members& m) {
  m.parameter("weight_ih_l0", weight_ih);
  m.parameter("weight_hh_l0", weight_hh);
  m.parameter("bias_ih_l0", bias_ih, Role::bias);
  m.parameter("bias_hh_l0", bias_hh, Role::bias);
}

std::string Recurrent::describe() const { return fmt::format("{}({} -> {})", name_, in_, hidden_); }

}  // namespace gradus::nn
