// State dicts of PyTorch go into modules, and come back under its names.
#include "nn/pytorch_names.h"

#include "nn/block/stack.h"
#include "nn/norm/batch_norm.h"
#include "nn/recurrent/recurrent.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The row of the fixture: loads PyTorch's state dict, compares what `run` makes of its x with its y, and the names that come back.
void check_names_of(const std::string& row, nn::Module& module, const std::function<Tensor(const Tensor&)>& run) {
  const io::SafeTensors fixture = read_fixture("pytorch_names.safetensors");
  const std::string prefix = row + "/state/";
  NamedTensors state;
  for (const auto& [key, tensor] : fixture.tensors) {
    if (key.rfind(prefix, 0) == 0) state.emplace_back(key.substr(prefix.size()), tensor);
  }
  REQUIRE(state.size() > 3);
  module.load_state_dict(nn::from_pytorch(module, state));  // throws unless every name fits
  module.eval();
  CHECK(difference(run(fixture.tensors.at(row + "/x")), fixture.tensors.at(row + "/y"), 1e-5) == "");
  const NamedTensors back = nn::to_pytorch(module);
  CHECK(back.size() == state.size());
  for (const NamedTensor& tensor : back) {
    CAPTURE(tensor.name);
    REQUIRE(fixture.tensors.count(prefix + tensor.name) == 1);
    CHECK(difference(tensor.tensor, fixture.tensors.at(prefix + tensor.name), 0) == "");
  }
}

}  // namespace

TEST_CASE("pytorch names: an encoder, attention, batch norm and an LSTM load PyTorch's state dicts, compute the same, and give them back") {
  const nn::AttentionOptions attention{.d_model = 4, .heads = 2, .bias = true};
  nn::Stack encoder({.attention = attention,
                     .feed_forward = {.d_model = 4, .d_ff = 5},
                     .stack = {.layers = 2},
                     .norm = "layer",
                     .placement = "pre",
                     .feed_forward_layer = "relu"});
  check_names_of("encoder", encoder, [&](const Tensor& x) { return encoder(x); });
  nn::MultiHeadAttention heads(attention);
  check_names_of("attention", heads, [&](const Tensor& x) { return heads(x); });
  nn::BatchNorm1d batch_norm(4);
  check_names_of("batch_norm", batch_norm, [&](const Tensor& x) { return batch_norm(x); });
  nn::LSTM lstm(4, 3);
  check_names_of("lstm", lstm, [&](const Tensor& x) { return lstm(x); });
}

TEST_CASE("pytorch names: what the module has no place for keeps its name, and packed rows that do not fit are refused") {
  nn::MultiHeadAttention heads({.d_model = 4, .heads = 2, .bias = false});
  const NamedTensors kept = nn::from_pytorch(heads, {{"in_proj_weight", ones({12, 4})}, {"head.weight", ones({2, 4})}});
  REQUIRE(kept.size() == 4);
  CHECK(kept.back().name == "head.weight");
  CHECK_THROWS_WITH_AS(heads.load_state_dict(kept), doctest::Contains("head.weight"), ValueError);
  CHECK_THROWS_WITH_AS(nn::from_pytorch(heads, {{"in_proj_weight", ones({8, 4})}}),
                       "from_pytorch: in_proj_weight has shape [8, 4], but q, k and v have 12 rows", ShapeError);
  CHECK_THROWS_AS(nn::from_pytorch(heads, {{"in_proj_weight", Tensor()}}), GraphError);
}

TEST_CASE("pytorch names: packed weights that require a gradient are leaves to be loaded as others are; those on the tape are refused") {
  nn::MultiHeadAttention heads({.d_model = 4, .heads = 2, .bias = false});
  const Tensor packed = draw({12, 4}, 7);
  Tensor trained = cast(packed, DType::f32).set_requires_grad();
  heads.load_state_dict(nn::from_pytorch(heads, {{"in_proj_weight", trained}, {"out_proj.weight", ones({4, 4})}}));
  CHECK(difference(nn::to_pytorch(heads)[0].tensor, packed, 1e-7) == "");
  CHECK_THROWS_WITH_AS(heads.load_state_dict(nn::from_pytorch(heads, {{"in_proj_weight", trained * 2}, {"out_proj.weight", ones({4, 4})}})),
                       doctest::Contains("is on the tape"), ValueError);
}

TEST_CASE("pytorch names: what cannot be packed is an error of to_pytorch, with the names") {
  struct Odd : nn::Module {
    nn::Linear q_proj{4, 4, {.bias = false}}, k_proj{3, 4, {.bias = false}};
    void members(nn::Members& m) override {
      m.child("q_proj", q_proj);
      m.child("k_proj", k_proj);
    }
  } odd;
  CHECK_THROWS_WITH_AS(nn::to_pytorch(odd),
                       "to_pytorch: k_proj.weight of shape [4, 3] cannot be packed into in_proj_weight beside [4, 4]: "
                       "PyTorch's q, k and v read vectors of one width",
                       ShapeError);
}
