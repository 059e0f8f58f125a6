// What holds for every row of the table of encodings.
#include <algorithm>

#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "nn/block/multi_head_attention.h"
#include "nn/position/cope.h"
#include "nn/position/shaw.h"
#include "nn/position/t5.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& row : nn::position_encodings().variants) result.emplace_back(row.name);
  return result;
}

// q, k, v and then the parameters, to the attention's result.
TensorFunction attention_with(const std::function<nn::PositionEncodingPtr()>& make, bool causal = true) {
  return [=](const Tensors& in) {
    const nn::PositionEncodingPtr position = make();
    const std::vector<Tensor*> fields = parameter_fields(*position);
    for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[3 + i];
    const Tensor positions = arange(in[0].size(1));
    return attend(*position, in[0], in[1], in[2], {positions, positions}, causal);
  };
}

bool acts_on_embedding(nn::PositionEncoding& position) {
  const Tensor x = ones({1, 1, 8}, DType::f64);
  return !position.on_embedding(x, arange(1)).same_as(x);
}

constexpr nn::PositionOptions kFixture{.d_model = 12, .heads = 2, .head_dim = 6, .max_length = 8};

std::string as_pytorch(const std::string& row, const std::function<nn::PositionEncodingPtr()>& make, bool causal = true) {
  return against_pytorch(row, attention_with(make, causal), "position.safetensors");
}

// One layer: the encoding on the embedding, then multi-head attention.
struct Layer {
  explicit Layer(const std::string& name, bool causal = true)
      : position(small_encoding(name, options(causal))), attention({.d_model = 8, .heads = 2, .causal = causal}, position) {
    attention.to(DType::f64);
    std::uint64_t seed = 7;
    for (const auto& [path, parameter, role] : attention.named_parameters()) {
      Tensor handle = parameter;
      handle.assign(draw(parameter.shape(), ++seed) / 2);
    }
  }
  static nn::PositionOptions options(bool causal) {
    nn::PositionOptions o = kSmall;
    o.causal = causal;
    return o;
  }
  Tensor operator()(const Tensor& x) { return attention(position->on_embedding(x, arange(x.size(1)))); }
  nn::PositionEncodingPtr position;
  nn::MultiHeadAttention attention;
};

// XPos and CoPE are for causal attention alone.
bool needs_causal(const std::string& name) { return name == "xpos" || name == "cope"; }

double largest(const Tensor& x) { return max(abs(x)).item(); }

}  // namespace

TEST_CASE(
    "pos-rope, pos-rope-half, …: every encoding of q, k, scores and values equals straightforward PyTorch, with its "
    "gradients") {
  for (const std::string& name : names()) {
    if (name == "sinusoidal" || name == "learned" || name == "rnn") continue;  // on the embedding
    CHECK(as_pytorch(name, [name] { return nn::position_encodings().find(name).value(kFixture); }) == "");
  }
}

TEST_CASE("pos-t5, pos-relative-shaw, pos-cope: two-sided buckets, clipped distances and clamped counts too") {
  CHECK(as_pytorch("shaw_clipped", [] { return std::make_unique<nn::ShawPosition>(kFixture, 2); }) == "");
  CHECK(as_pytorch("cope_clamped", [] { return std::make_unique<nn::CoPE>(kFixture, 3); }) == "");
  nn::PositionOptions two_sided = kFixture;
  two_sided.causal = false;
  CHECK(as_pytorch("t5_two_sided", [=] { return std::make_unique<nn::T5Position>(two_sided); }, false) == "");
}

TEST_CASE("positions: first and second derivatives of every encoding, through a small multi-head attention") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Layer layer(name);
    const std::vector<Tensor*> fields = parameter_fields(*layer.position);
    const TensorFunction f = [&](const Tensors& in) {
      for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[1 + i];
      return layer(in[0]);
    };
    Tensors inputs = values_of(fields);
    inputs.insert(inputs.begin(), draw({1, 3, 8}) / 2);
    if (name == "learned") inputs[1] = slice(inputs[1], 0, 0, 3);
    const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
    CHECK_MESSAGE(first.passed, first.text);
    CHECK_MESSAGE(second.passed, second.text);
    CHECK(first.kinks == 0);
  }
}

TEST_CASE("attn-causal-mask: under every encoding a change at position t moves no output before t") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Layer layer(name);
    const Tensor x = draw({2, 7, 8});
    const Tensor before = layer(x), after = layer(cat({slice(x, 1, 0, 4), draw({2, 3, 8}, 2)}, 1));
    CHECK(difference(slice(after, 1, 0, 4), slice(before, 1, 0, 4), 1e-14) == "");
    CHECK(max_difference(slice(after, 1, 4), slice(before, 1, 4)) > 0.01);
  }
}

TEST_CASE("positions: every encoding but none tells the positions of one repeated token apart") {
  for (const std::string& name : names()) {
    if (name == "none") continue;
    CAPTURE(name);
    nn::PositionOptions options = kSmall;
    const nn::PositionEncodingPtr position = name == "cope" ? nn::PositionEncodingPtr(std::make_unique<nn::CoPE>(options, 16))
                                                            : nn::position_encodings().find(name).value(options);
    position->to(DType::f64);
    for (const auto& [path, parameter, role] : position->named_parameters()) {
      Tensor handle = parameter;
      if (max(abs(parameter)).item() == 0) handle.assign(draw(parameter.shape()));
    }
    const Tensor positions = arange(8), last = slice(positions, 0, 7);
    Tensor codes;  // a row for each position
    if (acts_on_embedding(*position)) {
      codes = select(position->on_embedding(expand(draw({1, 1, 8}), {1, 8, 8}), positions), 0, 0);
    } else {  // what the last position scores each
      const Tensor k = expand(draw({1, 1, 2, 4}, 3), {1, 8, 2, 4}), q = position->on_queries(draw({1, 1, 2, 4}), last);
      const Tensor placed = position->on_keys(k, positions), bias = position->on_scores(q, placed, {last, positions}, 0.5);
      Tensor scores = sum(q * placed, -1) / 2;  // [1, 8, 2]
      if (bias.defined()) scores = scores + transpose(reshape(bias, {1, 2, 8}));
      codes = select(scores, 0, 0);
    }
    for (int64_t i = 0; i < 8; ++i) {
      for (int64_t j = 0; j < i; ++j) CHECK(max_difference(select(codes, 0, i), select(codes, 0, j)) > 1e-6);
    }
  }
}

// FIRE does up to its threshold alone: test_fire.cpp.
TEST_CASE("positions: a relative encoding but FIRE depends on distances alone: moving all positions changes nothing") {
  for (const std::string& name : names()) {
    const nn::PositionEncodingPtr position = small_encoding(name);
    if (acts_on_embedding(*position) || name == "fire") continue;
    CAPTURE(name);
    const Tensor q = draw({2, 6, 2, 4}, 1), k = draw({2, 6, 2, 4}, 2), v = draw({2, 6, 2, 4}, 3), here = arange(6);
    const Tensor there = here + 9.0;
    CHECK(difference(attend(*position, q, k, v, {there, there}), attend(*position, q, k, v, {here, here}), 1e-12) == "");
  }
}

TEST_CASE("positions: positions of a batch may differ: each sample is as it is alone") {
  const Tensor positions = tensor({{0, 1, 2, 3}, {5, 6, 9, 11}}, DType::i64);
  const Tensor q = draw({2, 4, 2, 4}, 1), k = draw({2, 4, 2, 4}, 2), v = draw({2, 4, 2, 4}, 3), x = draw({2, 4, 8}, 4);
  for (const std::string& name : names()) {
    CAPTURE(name);
    const nn::PositionEncodingPtr position = small_encoding(name);
    const Tensor together = attend(*position, q, k, v, {positions, positions}), embedded = position->on_embedding(x, positions);
    for (const int64_t b : {0, 1}) {
      const auto one = [b](const Tensor& all) { return slice(all, 0, b, b + 1); };
      const Tensor own = select(positions, 0, b);
      CHECK(difference(one(together), attend(*position, one(q), one(k), one(v), {own, own}), 1e-13) == "");
      CHECK(difference(one(embedded), position->on_embedding(one(x), own), 1e-14) == "");
    }
  }
}

TEST_CASE("attn-gqa: under every encoding, shared keys and values are as repeated ones") {
  const Tensor q = draw({1, 5, 2, 4}, 1), k = draw({1, 5, 1, 4}, 2), v = draw({1, 5, 1, 4}, 3), positions = arange(5);
  for (const std::string& name : names()) {
    CAPTURE(name);
    const nn::PositionEncodingPtr position = small_encoding(name);
    const Tensor repeated = attend(*position, q, cat({k, k}, 2), cat({v, v}, 2), {positions, positions});
    CHECK(difference(attend(*position, q, k, v, {positions, positions}), repeated, 1e-13) == "");
  }
}

TEST_CASE("pos-none: 我喜欢你 and 你喜欢我 are the same to it; without a mask, permuting the input permutes the output") {
  Layer layer("none", false);
  const Tensor x = draw({1, 3, 8});
  const Tensor order = tensor({2, 1, 0}, DType::i64);
  CHECK(difference(layer(index_select(x, 1, order)), index_select(layer(x), 1, order), 1e-14) == "");
}

TEST_CASE("pos-none: the two 'i' of 'i think therefore i am' get equal scores and equal outputs") {
  Layer layer("none", false);
  const Tensor words = draw({4, 8}), ids = tensor({0, 1, 2, 0, 3}, DType::i64);
  const Tensor y = layer(unsqueeze(index_select(words, 0, ids), 0));
  CHECK(difference(select(y, 1, 0), select(y, 1, 3), 1e-14) == "");
}

// Reversed, every pair is as far apart as before, only the other way round.
TEST_CASE("positions: reversal is seen by every encoding but none and, without a mask, those of |i - j| alone") {
  const Tensor x = draw({1, 3, 8});
  for (const std::string& name : names()) {
    if (needs_causal(name)) continue;
    CAPTURE(name);
    Layer layer(name, false);
    const double seen = max_difference(flip(layer(flip(x, 1)), 1), layer(x));
    const bool blind = name == "none" || name == "alibi" || name == "fire" || name.rfind("kerple", 0) == 0;
    CHECK((blind ? seen < 1e-12 : seen > 1e-3));
  }
}

TEST_CASE("convention-buffer-saved-or-rebuilt: what is not trained is not saved") {
  for (const auto& row : nn::position_encodings().variants) {
    CAPTURE(row.name);
    const nn::PositionEncodingPtr position = row.value(kSmall);
    CHECK(position->state_dict().size() == position->named_parameters().size());
  }
}

TEST_CASE("positions: f16 and f32 agree with f64, for every encoding") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Layer layer(name);
    const Tensor x = draw({1, 5, 8}), exact = layer(x);
    for (const auto& [dtype, tolerance] : {std::pair{DType::f32, 1e-5}, {DType::f16, 1e-2}}) {
      layer.attention.to(dtype);
      layer.position->to(dtype);
      const Tensor y = layer(cast(x, dtype));
      CHECK(y.dtype() == dtype);
      CHECK(max_difference(cast(y, DType::f64), exact) < tolerance * std::max(1.0, largest(exact)));
    }
  }
}

TEST_CASE("positions: no queries, no samples") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Layer layer(name);
    for (const Shape& shape : {Shape{2, 0, 8}, Shape{0, 3, 8}}) CHECK(layer(zeros(shape, DType::f64)).shape() == shape);
  }
}
