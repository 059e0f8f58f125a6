#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/block/stack.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"
#include "tests/nn/block_fixture.h"
#include "tests/nn/writing.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Options = nn::LanguageModelOptions;

nn::MultiHeadAttention with_table() {
  nn::MultiHeadAttention attention({.d_model = 6, .heads = 2, .kv_heads = 1, .causal = true, .value_embedding = 5});
  attention.to(DType::f64);
  attention.value_gate.assign(0.5 * draw({1, 6}, 8));
  return attention;
}

Options four_layers() {
  return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 4, .heads = 2, .value_embedding = {{false}, {true}}};
}

std::string paths_with(nn::Module& module, const std::string& part) {
  std::string paths;
  for (const NamedTensor& p : module.named_parameters()) {
    if (p.name.find(part) != std::string::npos) paths += p.name + " ";
  }
  return paths;
}

const Tensor kIds = ids({{1, 4, 0, 4}, {3, 3, 2, 1}});

}  // namespace

TEST_CASE("block-value-embedding: values and all gradients are those of nanochat's attention") {
  nn::MultiHeadAttention attention(
      {.d_model = 16, .heads = 4, .kv_heads = 2, .causal = true, .scale = 1.2 * 1.2 / 2, .value_embedding = 7});
  const auto run = [&](const BlockInputsOf& input) { return attention(input("x"), {.ids = input("ids")}); };
  CHECK(against_block_fixture("attention/value-embedding", attention, run, "embeddings.safetensors") == "");
}

TEST_CASE("block-value-embedding: attention is over v + 3 σ(u) E[id], a gate for each head, of the first twelve columns") {
  nn::MultiHeadAttention attention({.d_model = 16, .heads = 4, .kv_heads = 2, .causal = true, .value_embedding = 5});
  attention.to(DType::f64);
  CHECK(attention.value_table.shape() == Shape{5, 8});
  CHECK(attention.value_gate.shape() == Shape{2, 12});
  CHECK(equal(attention.value_gate, zeros({2, 12}, DType::f64)));
  attention.value_gate.assign(draw({2, 12}, 3));
  const Tensor x = draw({2, 4, 16}, 1);
  const auto heads = [](const Tensor& y, int64_t count) { return reshape(y, {2, 4, count, 4}); };
  const Tensor u = matmul(slice(x, -1, 0, 12), attention.value_gate, {.transpose_b = true});
  const Tensor rows = reshape(index_select(attention.value_table, 0, flatten(kIds)), {2, 4, 2, 4});
  const Tensor v = heads(attention.v_proj(x), 2) + unsqueeze(3 / (1 + exp(-u)), -1) * rows;
  const Tensor y = nn::attention(heads(attention.q_proj(x), 4), heads(attention.k_proj(x), 2), v, {.causal = true});
  CHECK(difference(attention(x, {.ids = kIds}), attention.out_proj(reshape(y, {2, 4, 16})), 1e-14) == "");
  CHECK(nn::MultiHeadAttention({.d_model = 8, .heads = 2, .value_embedding = 5}).value_gate.shape() == Shape{2, 8});
}

TEST_CASE("convention-value-embedding-gate: a gate starts at 3/2, and ends at 3; modded-nanogpt's is two thirds of it") {
  nn::MultiHeadAttention attention = with_table();
  attention.value_table.fill(1);
  attention.v_proj.weight.fill(0);
  attention.out_proj.weight.assign(eye(6, -1, DType::f64));
  const Tensor x = ones({2, 4, 6}, DType::f64);
  const auto value = [&](double gate) {
    attention.value_gate.fill(gate);
    return attention(x, {.ids = kIds});  // a mean of equal values
  };
  CHECK(difference(value(0), full({2, 4, 6}, 1.5, DType::f64), 1e-15) == "");
  CHECK(difference(value(100), full({2, 4, 6}, 3, DType::f64), 1e-15) == "");
  const double modded = 2 / (1 + std::exp(-0.6));
  CHECK(difference(value(0.1), full({2, 4, 6}, 1.5 * modded, DType::f64), 1e-14) == "");
}

TEST_CASE("block-value-embedding: first and second derivatives, also of the table and of the gate") {
  nn::MultiHeadAttention attention = with_table();
  const Tensors at{draw({2, 4, 6}, 1), attention.value_table.detached_copy(), attention.value_gate.detached_copy(),
                   attention.v_proj.weight.detached_copy()};
  const auto f = [&](const Tensors& in) {
    const Tensor gate = 3 * sigmoid(matmul(in[0], in[2], {.transpose_b = true}));
    const Tensor v = matmul(in[0], in[3], {.transpose_b = true}) + gate * nn::embedding(kIds, in[1]);
    const auto heads = [](const Tensor& y, int64_t count) { return reshape(y, {2, 4, count, 3}); };
    return nn::attention(heads(attention.q_proj(in[0]), 2), heads(attention.k_proj(in[0]), 1), heads(v, 1), {.causal = true});
  };
  const GradcheckReport first = gradcheck(f, at), second = gradgradcheck(f, at);
  CHECK_MESSAGE(first.passed, first.text);
  CHECK_MESSAGE(second.passed, second.text);
  const auto layer = [&](const Tensors& in) { return attention(in[0], {.ids = kIds}); };
  CHECK(gradcheck(layer, {at[0]}).passed);
  CHECK(gradgradcheck(layer, {at[0]}).passed);
}

TEST_CASE("block-value-embedding: a row's gradient is the sum over the tokens of its id; an id that is not there has none") {
  nn::MultiHeadAttention attention = with_table();
  const Tensor x = draw({2, 4, 6}, 1);
  const Tensor found = grad({sum(square(attention(x, {.ids = kIds})))}, {attention.value_table})[0];
  const Tensor absent = grad({sum(square(attention(x, {.ids = zeros({2, 4}, DType::i64)})))}, {attention.value_table})[0];
  CHECK(max(abs(found), 1).at({4}) > 1e-3);
  CHECK(equal(slice(absent, 0, 1), zeros({4, 3}, DType::f64)));
  // Moving a row is moving what its tokens add: ids 3 and 3 of the second text, by differences.
  const Tensor start = attention.value_table.detached_copy(), step = 1e-6 * one_hot(ids({3}), 5, DType::f64);
  const auto loss = [&](double sign) {
    attention.value_table.assign(start + sign * reshape(step, {5, 1}));
    return sum(square(attention(x, {.ids = kIds}))).item();
  };
  CHECK(sum(select(found, 0, 3)).item() == doctest::Approx((loss(1) - loss(-1)) / 2e-6).epsilon(1e-7));
}

TEST_CASE("block-value-embedding: in a model, the layers of the pattern have a table each, which is a table to the optimizer") {
  nn::LanguageModel model(four_layers());
  CHECK(paths_with(model, "value_") ==
        "blocks.1.attention.value_table blocks.1.attention.value_gate blocks.3.attention.value_table blocks.3.attention.value_gate ");
  for (const NamedTensor& p : model.named_parameters()) {
    if (p.name.find("value_table") != std::string::npos) {
      CHECK(p.role == Role::table);
      CHECK(p.tensor.shape() == Shape{11, 8});
      CHECK(std::abs(std::sqrt(mean(square(p.tensor)).item()) - 1 / std::sqrt(8.0)) < 0.1);
    }
    if (p.name.find("value_gate") != std::string::npos) CHECK(p.role == Role::other);
  }
  Options plain = four_layers();
  plain.value_embedding = false;
  CHECK(model.parameter_count() - nn::LanguageModel(plain).parameter_count() == 2 * (11 * 8 + 2 * 8));
}

TEST_CASE("block-value-embedding: two tokens that differ in the table alone are told apart") {
  Options options = four_layers();
  nn::LanguageModel model(options);
  model.to(DType::f64);
  for (const NamedTensor& p : model.named_parameters()) {
    Tensor weight = p.tensor;
    if (p.name == "embedding.weight") weight.assign(expand(slice(weight.detached_copy(), 0, 0, 1), weight.shape()));
  }
  const Tensor same = model(ids({{1, 2, 3}})), other = model(ids({{1, 5, 3}}));
  CHECK(equal(slice(same, 1, 0, 1), slice(other, 1, 0, 1)));
  CHECK(max_difference(slice(same, 1, 1), slice(other, 1, 1)) > 1e-4);
}

TEST_CASE("block-value-embedding: generating id by id gives the scores of the whole sequence, in every placement") {
  Options options = four_layers();
  options.layers = 2;
  options.value_residual = true;
  const Tensor text = ids({{1, 7, 3, 4, 0, 2}}), other = ids({{1, 7, 3, 4, 0, 9}});
  for (const auto& row : nn::placements().variants) {
    CAPTURE(row.name);
    options.placement = row.name;
    REQUIRE(nn::why_not(options).empty());
    manual_seed(3);
    nn::LanguageModel model(options);
    model.to(DType::f64);
    check_writing(model, text, other);
  }
}

TEST_CASE("block-value-embedding: it is of the tokens themselves: not in cross-attention, not without ids, not where values are shared") {
  nn::Block block({.attention = {.d_model = 8, .heads = 2, .causal = true, .value_embedding = 5},
                   .feed_forward = {.d_model = 8, .d_ff = 12},
                   .stack = {.layers = 2, .index = 1},
                   .cross_attention = true});
  CHECK(paths_with(block, "value_") == "attention.value_table attention.value_gate ");
  nn::MultiHeadAttention attention = with_table();
  const Tensor x = draw({2, 4, 6}, 1);
  CHECK_THROWS_WITH_AS(attention(x), doctest::Contains("it adds a row of a table for each id, and no ids were given"), GraphError);
  CHECK_THROWS_WITH_AS(attention(x, {.ids = ids({{1, 2, 3, 4}})}), doctest::Contains("ids must have shape [2, 4], got [1, 4]"), ShapeError);
  CHECK_THROWS_WITH_AS(attention(x, {.ids = kIds + 3}), doctest::Contains("embedding"), ValueError);
  CHECK_THROWS_WITH_AS(attention(x, {.memory = x, .ids = kIds}), doctest::Contains("it cannot be used with a memory"), ValueError);
  Options options = four_layers();
  options.shared_kv_layers = 1;
  CHECK(nn::why_not(options) == "layer 3 is to share keys and values, so that there are none for its value_embedding to be added to");
  options.value_embedding = {{true, 3}, {false}};
  CHECK(nn::why_not(options).empty());
  options.value_embedding = {{true, 5}};
  CHECK(nn::why_not(options) ==
        "the pattern of value_embedding is of 5 layers, but the model has 4; give it more layers, or a shorter pattern");
}
