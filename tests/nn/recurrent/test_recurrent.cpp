// Elman, GRU and LSTM against PyTorch's RNN, GRU and LSTM.
#include <cmath>
#include <functional>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/recurrent/cells.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Outputs and last states, and the gradients of input, first state and every parameter by PyTorch's name; "" if equal.
std::string compare(const std::string& name, nn::Recurrent& layer, DType dtype, double tolerance) {
  const io::SafeTensors fixture = read_fixture("position.safetensors");
  const auto row = [&](const std::string& key) { return cast(fixture.tensors.at(name + "/" + key), dtype); };
  layer.to(dtype);
  nn::NamedTensors state;
  for (const auto& [path, parameter, role] : layer.named_parameters()) state.emplace_back(path, row("state/" + path));
  layer.load_state_dict(state);
  layer.zero_grad();
  const bool has_cell = fixture.tensors.count(name + "/input2") != 0;
  const auto state_row = [&](const std::string& key) {  // of one cell [B, hidden]; PyTorch has [1, B, hidden]
    const Tensor part = row(key);
    return part.size(0) == 1 ? select(part, 0, 0) : part;
  };
  Tensors inputs{row("input0").detached_copy().set_requires_grad(), state_row("input1").detached_copy().set_requires_grad()};
  if (has_cell) inputs.push_back(state_row("input2").detached_copy().set_requires_grad());
  const nn::RecurrentOutput result = layer(inputs[0], {inputs[1], has_cell ? inputs[2] : Tensor()});
  const auto by_sample = [](const Tensor& part) { return part.rank() == 2 ? unsqueeze(part, 1) : transpose(part, 0, 1); };
  Tensors parts{reshape(result.y, {2, -1, 4}), by_sample(result.last.hidden)};
  if (has_cell) parts.push_back(by_sample(result.last.cell));
  const Tensor y = cat(parts, 1);
  y.backward(row("cotangent"));
  std::string problems;
  const auto expect = [&](const std::string& what, const Tensor& actual, const Tensor& expected) {
    const std::string wrong = difference(actual, expected, tolerance);
    if (!wrong.empty()) problems += fmt::format("{} {}: {}\n", name, what, wrong);
  };
  expect("output", y, row("output"));
  expect("input gradient", inputs[0].grad(), row("grad0"));
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    expect("state gradient", inputs[i].grad(), state_row(fmt::format("grad{}", i)));
  }
  for (const auto& [path, parameter, role] : layer.named_parameters()) expect(path, parameter.grad(), row("grad/" + path));
  return problems;
}

template <typename L> void check_layer(const std::string& name, const nn::RecurrentOptions& options = {}) {
  L layer(3, 4, options);
  CHECK(compare(name, layer, DType::f64, 1e-14) == "");
  CHECK(compare(name, layer, DType::f32, 1e-5) == "");
}

template <typename L> void check_derivatives(const nn::RecurrentOptions& options = {}) {
  const TensorFunction f = [&](const Tensors& in) {
    L layer(2, 2, options);
    std::size_t next = 1;
    for (int64_t i = 0; i < options.layers; ++i) {
      for (const bool reverse : {false, true}) {
        if (reverse && !options.bidirectional) continue;
        nn::CellParameters& cell = layer.cell(i, reverse);
        for (Tensor* field : {&cell.weight_ih, &cell.weight_hh, &cell.bias_ih, &cell.bias_hh}) *field = in[next++];
        if (!options.layer_norm) continue;
        for (Tensor* field : {&cell.gain_ih, &cell.gain_hh}) *field = in[next++];
        if (!options.cell_norm) continue;
        for (Tensor* field : {&cell.gain_c, &cell.bias_c}) *field = in[next++];
      }
    }
    return layer(in[0]);
  };
  L layer(2, 2, options);
  Tensors inputs{draw({1, 3, 2}, -1, 1, 1)};
  for (const Tensor& parameter : layer.parameters()) inputs.push_back(draw(parameter.shape(), -1, 1, inputs.size() + 1));
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  CHECK_MESSAGE(first.passed, first.text);
  CHECK_MESSAGE(second.passed, second.text);
}

// (y - μ) / √(σ² + 10⁻⁵) ⊙ γ + b over each row, from ops.
Tensor normed(const Tensor& y, const Tensor& gain, const Tensor& bias) {
  const Tensor centred = y - mean(y, -1, true);
  return centred / sqrt(mean(centred * centred, -1, true) + 1e-5) * gain + bias;
}

// A cell over x [B, T, in], step by step: `step` makes the next state of the gates' parts from x and h, and of the state before.
using CellStep = std::function<nn::RecurrentState(const Tensors&, const Tensors&, const nn::RecurrentState&)>;
Tensor by_hand(const Tensor& x, const nn::CellParameters& p, int64_t hidden, const CellStep& step) {
  nn::RecurrentState state{zeros({x.size(0), hidden}, x.dtype()), zeros({x.size(0), hidden}, x.dtype())};
  Tensors outputs;
  for (int64_t t = 0; t < x.size(1); ++t) {
    const Tensor from_input = normed(matmul(select(x, 1, t), p.weight_ih.T()), p.gain_ih, p.bias_ih);
    const Tensor from_hidden = normed(matmul(state.hidden, p.weight_hh.T()), p.gain_hh, p.bias_hh);
    state = step(split(from_input, hidden, -1), split(from_hidden, hidden, -1), state);
    outputs.push_back(state.hidden);
  }
  return stack(outputs, 1);
}

// With layer norm and gains that are not 1: the output and all gradients are those of the loop by hand.
template <typename L> void check_layer_norm(const CellStep& step) {
  L layer(3, 4, {.layer_norm = true});
  layer.to(DType::f64);
  std::uint64_t seed = 2;
  for (const auto& [path, parameter, role] : layer.named_parameters()) {
    Tensor values = parameter;
    NoGrad off;
    values.assign(draw(parameter.shape(), -1, 1, seed++));
  }
  const Tensor x = draw({2, 5, 3}, -1, 1, 1).set_requires_grad();
  Tensors leaves = layer.parameters();
  CHECK(leaves.size() == 6);
  leaves.push_back(x);
  const Tensor y = layer(x), expected = by_hand(x, layer, 4, step), g = draw(y.shape(), -1, 1, 20);
  CHECK(difference(y, expected, 1e-13) == "");
  const Tensors ours = grad({y}, leaves, {.seeds = {g}}), theirs = grad({expected}, leaves, {.seeds = {g}});
  for (std::size_t i = 0; i < leaves.size(); ++i) CHECK(difference(ours[i], theirs[i], 1e-12) == "");
}

// A sequence in two pieces is as one in a whole; a change at t moves nothing before.
template <typename L> void check_order() {
  L layer(3, 4);
  layer.to(DType::f64);
  const Tensor x = draw({2, 6, 3}, -1, 1, 1), whole = layer(x);
  const nn::RecurrentOutput first = layer(slice(x, 1, 0, 4), {}), second = layer(slice(x, 1, 4), first.last);
  CHECK(difference(cat({first.y, second.y}, 1), whole, 1e-15) == "");
  const Tensor changed = layer(cat({slice(x, 1, 0, 4), draw({2, 2, 3}, -1, 1, 9)}, 1));
  CHECK(difference(slice(changed, 1, 0, 4), slice(whole, 1, 0, 4), 1e-15) == "");
  CHECK(max_difference(slice(changed, 1, 4), slice(whole, 1, 4)) > 1e-3);
}

}  // namespace

TEST_CASE(
    "model-elman, model-gru, model-lstm: outputs, last states and all gradients equal PyTorch's, under its names and gate "
    "order") {
  check_layer<nn::Elman>("elman");
  check_layer<nn::GRU>("gru");
  check_layer<nn::LSTM>("lstm");
}

TEST_CASE("model-elman, model-gru, model-lstm: first and second derivatives") {
  check_derivatives<nn::Elman>();
  check_derivatives<nn::GRU>();
  check_derivatives<nn::LSTM>();
}

TEST_CASE("recurrent: two layers of two directions equal PyTorch's: outputs, last states and all gradients") {
  const nn::RecurrentOptions options{.layers = 2, .bidirectional = true};
  check_layer<nn::Elman>("stacked/elman", options);
  check_layer<nn::GRU>("stacked/gru", options);
  check_layer<nn::LSTM>("stacked/lstm", options);
}

TEST_CASE("recurrent: first and second derivatives of two layers of two directions") {
  const nn::RecurrentOptions options{.layers = 2, .bidirectional = true};
  check_derivatives<nn::Elman>(options);
  check_derivatives<nn::GRU>(options);
  check_derivatives<nn::LSTM>(options);
}

TEST_CASE("model-elman, model-gru, model-lstm: with layer norm, W x and U h are normed, each with its own gain: by hand, from ops") {
  check_layer_norm<nn::Elman>([](const Tensors& x, const Tensors& h, const nn::RecurrentState& before) {
    return nn::RecurrentState{tanh(x[0] + h[0]), before.cell};
  });
  check_layer_norm<nn::GRU>([](const Tensors& x, const Tensors& h, const nn::RecurrentState& before) {
    const Tensor reset = sigmoid(x[0] + h[0]), update = sigmoid(x[1] + h[1]), proposed = tanh(x[2] + reset * h[2]);
    return nn::RecurrentState{proposed + update * (before.hidden - proposed), before.cell};
  });
  check_layer_norm<nn::LSTM>([](const Tensors& x, const Tensors& h, const nn::RecurrentState& before) {
    const Tensor cell = sigmoid(x[1] + h[1]) * before.cell + sigmoid(x[0] + h[0]) * tanh(x[2] + h[2]);
    return nn::RecurrentState{sigmoid(x[3] + h[3]) * tanh(cell), cell};
  });
}

TEST_CASE("recurrent: first and second derivatives with layer norm, of two layers of two directions") {
  check_derivatives<nn::LSTM>({.layer_norm = true});
  check_derivatives<nn::LSTM>({.layer_norm = true, .cell_norm = true});
  check_derivatives<nn::GRU>({.layers = 2, .bidirectional = true, .layer_norm = true});
}

TEST_CASE("model-elman, model-gru, model-lstm: with layer norm, values and gradients are those of the same formulas in PyTorch") {
  const auto published = [](const std::string& name, nn::Recurrent& layer) {
    return against_pytorch(
        name,
        [&](const Tensors& in) {
          layer.weight_ih.share(in[1]), layer.weight_hh.share(in[2]), layer.bias_ih.share(in[3]), layer.bias_hh.share(in[4]);
          layer.gain_ih.share(in[5]), layer.gain_hh.share(in[6]);
          if (in.size() > 7) layer.gain_c.share(in[7]), layer.bias_c.share(in[8]);
          return layer(in[0]);
        },
        "published.safetensors");
  };
  nn::Elman elman(3, 4, {.layer_norm = true});
  nn::GRU gru(3, 4, {.layer_norm = true});
  nn::LSTM lstm(3, 4, {.layer_norm = true}), whole(3, 4, {.layer_norm = true, .cell_norm = true});
  CHECK(published("layer_norm_elman", elman) == "");
  CHECK(published("layer_norm_gru", gru) == "");
  CHECK(published("layer_norm_lstm", lstm) == "");
  CHECK(published("layer_norm_lstm/cell", whole) == "");
}

TEST_CASE("convention-lstm-carried-cell: cell_norm norms what tanh reads; elsewhere LN(c) is carried on, the same for one step alone") {
  nn::LSTM layer(3, 4, {.layer_norm = true, .cell_norm = true}), bare(3, 4, {.layer_norm = true});
  layer.to(DType::f64), bare.to(DType::f64);
  nn::NamedTensors shared = layer.state_dict();
  shared.erase(shared.end() - 2, shared.end());  // all but γ and β of the cell
  bare.load_state_dict(shared);
  const Tensor x = draw({2, 3, 3}, -1, 1, 1);
  const auto norm = [](const Tensor& c) { return normed(c, ones({4}, DType::f64), zeros({4}, DType::f64)); };
  nn::RecurrentState here, there, plain;  // with c carried, LN(c) carried, and no norm of c
  for (int64_t t = 0; t < 3; ++t) {
    const Tensor now = slice(x, 1, t, t + 1);
    const nn::RecurrentState before = here;
    here = layer(now, here).last;
    there = layer(now, there).last;
    there.cell = norm(there.cell);
    plain = bare(now, before).last;
    CHECK(difference(here.cell, plain.cell, 1e-14) == "");  // the cell itself is that without cell_norm
    CHECK((max_difference(here.hidden, there.hidden) == 0) == (t == 0));
    CHECK(max_difference(here.hidden, plain.hidden) > 1e-3);
  }
  CHECK(layer.describe() == "LSTM(3 -> 4, layer norm, cell norm)");
  CHECK(layer.parameters().size() == bare.parameters().size() + 2);
}

TEST_CASE("recurrent: a layer above is one layer over the outputs below; reading back is reading the mirrored sequence") {
  const auto copy = [](nn::CellParameters& to, const nn::CellParameters& from) {
    to.weight_ih = from.weight_ih, to.weight_hh = from.weight_hh, to.bias_ih = from.bias_ih, to.bias_hh = from.bias_hh;
  };
  const auto mirrored = [](const Tensor& x) { return flip(x, {1}); };
  const Tensor x = cast(draw({2, 5, 3}, -1, 1, 1), DType::f32);
  nn::GRU two(3, 4, {.layers = 2}), low(3, 4), high(4, 4), both(3, 4, {.bidirectional = true}), back(3, 4);
  copy(low, two.cell(0));
  copy(high, two.cell(1));
  copy(back, both.cell(0, true));
  const nn::RecurrentOutput whole = two(x, {}), below = low(x, {}), above = high(below.y, {});
  CHECK(max_difference(whole.y, above.y) == 0);
  CHECK(max_difference(whole.last.hidden, stack({below.last.hidden, above.last.hidden}, 0)) == 0);
  CHECK(max_difference(slice(both(x), -1, 4), mirrored(back(mirrored(x)))) == 0);
  copy(back, both);  // its first cell
  CHECK(max_difference(slice(both(x), -1, 0, 4), back(x)) == 0);
}

TEST_CASE("recurrent: dropout acts between layers, in training alone") {
  manual_seed(3);
  nn::LSTM layer(3, 200, {.layers = 2, .dropout = 0.5});
  const Tensor x = cast(draw({1, 2, 3}, -1, 1, 1), DType::f32);
  CHECK(max_difference(layer(x), layer(x)) > 1e-3);
  const nn::RecurrentOutput a = layer(x, {}), b = layer(x, {});
  CHECK(max_difference(select(a.last.hidden, 0, 0), select(b.last.hidden, 0, 0)) == 0);  // the first layer's own states are whole
  CHECK(sum(eq(a.y, 0)).item() == 0);                                                    // and so is the last one's output
  layer.eval();
  CHECK(max_difference(layer(x), layer(x)) == 0);
}

TEST_CASE("recurrent: pieces make the whole, and the past does not know the future") {
  check_order<nn::Elman>();
  check_order<nn::GRU>();
  check_order<nn::LSTM>();
}

TEST_CASE("recurrent: its start is PyTorch's: weights and biases uniform in ±1/√hidden") {
  manual_seed(1);
  nn::GRU layer(40, 100);
  for (const auto& [path, parameter, role] : layer.named_parameters()) {
    CAPTURE(path);
    CHECK(max(parameter).item() <= 0.1);
    CHECK(max(parameter).item() > 0.098);
    CHECK(min(parameter).item() >= -0.1);
    CHECK(min(parameter).item() < -0.098);
    CHECK(std::abs(mean(parameter).item()) < 0.01);
    CHECK(mean(square(parameter)).item() == doctest::Approx(0.01 / 3).epsilon(0.15));
  }
}

TEST_CASE("recurrent: names, paths and empty inputs") {
  nn::LSTM layer(3, 4);
  CHECK(layer.describe() == "LSTM(3 -> 4)");
  CHECK(layer.parameter_count() == 4 * (4 * 3 + 4 * 4 + 4 + 4));
  CHECK(layer.state_dict()[1].name == "weight_hh_l0");
  CHECK(layer(zeros({2, 0, 3})).shape() == Shape{2, 0, 4});
  CHECK(layer(zeros({0, 5, 3})).shape() == Shape{0, 5, 4});
  nn::GRU stacked(3, 4, {.layers = 2, .bidirectional = true, .dropout = 0.25});
  CHECK(stacked.describe() == "GRU(3 -> 4, 2 layers, bidirectional, dropout 0.25)");
  CHECK(nn::LSTM(3, 4, {.layer_norm = true}).describe() == "LSTM(3 -> 4, layer norm)");
  CHECK(stacked.state_dict()[4].name == "weight_ih_l0_reverse");
  CHECK(stacked.state_dict()[12].name == "weight_ih_l1_reverse");
  CHECK(stacked.state_dict()[8].tensor.shape() == Shape{12, 8});
  CHECK(stacked(zeros({2, 0, 3})).shape() == Shape{2, 0, 8});
  CHECK(stacked(zeros({2, 0, 3}), {}).last.hidden.shape() == Shape{4, 2, 4});
}

TEST_CASE("recurrent: errors") {
  nn::GRU layer(3, 4);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3})), "GRU(3 -> 4): expected [B, T, 3], got [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 5, 4})), "GRU(3 -> 4): expected [B, T, 3], got [2, 5, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 5, 3}), {zeros({1, 4})}), "GRU(3 -> 4): expected a state of shape [2, 4], got [1, 4]", ShapeError);
  for (const nn::RecurrentOptions& o :
       {nn::RecurrentOptions{.layer_norm = true, .cell_norm = true}, nn::RecurrentOptions{.cell_norm = true}}) {
    CHECK_THROWS_WITH_AS(nn::GRU(3, 4, o), "GRU: cell_norm is the norm of an LSTM's cell, beside layer_norm; take an LSTM with layer_norm",
                         ValueError);
  }
  CHECK_THROWS_AS(nn::LSTM(3, 4, {.cell_norm = true}), ValueError);
  CHECK_THROWS_WITH_AS(nn::Elman(0, 4), "Elman: both sizes must be positive, got 0 -> 4", ValueError);
}
