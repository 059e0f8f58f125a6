// Elman, GRU and LSTM against PyTorch's RNN, GRU and LSTM.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
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
  Tensors inputs{row("input0").detached_copy().set_requires_grad(), select(row("input1"), 0, 0).detached_copy().set_requires_grad()};
  if (has_cell) inputs.push_back(select(row("input2"), 0, 0).detached_copy().set_requires_grad());
  const nn::RecurrentOutput result = layer(inputs[0], {inputs[1], has_cell ? inputs[2] : Tensor()});
  Tensors parts{result.y, unsqueeze(result.last.hidden, 1)};
  if (has_cell) parts.push_back(unsqueeze(result.last.cell, 1));
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
    expect("state gradient", inputs[i].grad(), select(row(fmt::format("grad{}", i)), 0, 0));
  }
  for (const auto& [path, parameter, role] : layer.named_parameters()) expect(path, parameter.grad(), row("grad/" + path));
  return problems;
}

template <typename L> void check_layer(const std::string& name) {
  L layer(3, 4);
  CHECK(compare(name, layer, DType::f64, 1e-14) == "");
  CHECK(compare(name, layer, DType::f32, 1e-5) == "");
}

template <typename L> void check_derivatives() {
  const TensorFunction f = [](const Tensors& in) {
    L layer(2, 2);
    const std::vector<Tensor*> fields{&layer.weight_ih, &layer.weight_hh, &layer.bias_ih, &layer.bias_hh};
    for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[1 + i];
    return layer(in[0]);
  };
  L layer(2, 2);
  Tensors inputs{draw({1, 3, 2}, -1, 1, 1)};
  for (const Tensor& parameter : layer.parameters()) inputs.push_back(draw(parameter.shape(), -1, 1, inputs.size() + 1));
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  CHECK_MESSAGE(first.passed, first.text);
  CHECK_MESSAGE(second.passed, second.text);
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
}

TEST_CASE("recurrent: errors") {
  nn::GRU layer(3, 4);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 3})), "GRU: expected [B, T, 3], got [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 5, 4})), "GRU: expected [B, T, 3], got [2, 5, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({2, 5, 3}), {zeros({1, 4})}),
                       "GRU: expected a state of shape [2, 4], got [1, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::Elman(0, 4), "Elman: both sizes must be positive, got 0 -> 4", ValueError);
}
