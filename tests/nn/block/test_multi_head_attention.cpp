#include <cmath>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/block/multi_head_attention.h"
#include "nn/position/alibi.h"
#include "nn/position/rope.h"
#include "nn/position/shaw.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Attention {
  explicit Attention(nn::AttentionOptions options)
      : position(std::make_shared<nn::RoPE>(nn::PositionOptions{.d_model = options.d_model,
                                                                .heads = options.heads,
                                                                .head_dim = nn::head_dim(options.d_model, options.heads, options.head_dim),
                                                                .max_length = 16})),
        layer(options, position) {
    layer.to(DType::f64);
  }
  nn::PositionEncodingPtr position;
  nn::MultiHeadAttention layer;
};

}  // namespace

TEST_CASE("attn-multi-head: every head attends on its own part of the width") {
  for (const int64_t d_model : {8, 6, 14}) {
    Attention a({.d_model = d_model, .heads = 2, .head_dim = 4, .causal = true});
    const Tensor x = draw({2, 5, d_model});
    Tensors heads;
    for (const int64_t head : {0, 1}) {  // written out: y_h = softmax(RoPE(q_h) RoPE(k_h)ᵀ / √d_head + M) v_h
      const auto part = [&](nn::Linear& projection) { return slice(projection(x), -1, 4 * head, 4 * head + 4); };
      const auto turned = [&](const Tensor& y) { return squeeze(a.position->on_queries(unsqueeze(y, 2), arange(5)), 2); };
      const Tensor scores = matmul(turned(part(a.layer.q_proj)), turned(part(a.layer.k_proj)), {.transpose_b = true}) / 2;
      const Tensor weights = tril(exp(scores));
      heads.push_back(matmul(weights / sum(weights, -1, true), part(a.layer.v_proj)));
    }
    CHECK(difference(a.layer(x), a.layer.out_proj(cat(heads, -1)), 1e-14) == "");
  }
}

TEST_CASE("attn-multi-head: a change at position t moves no output before t") {
  Attention a({.d_model = 8, .heads = 2, .causal = true});
  const Tensor x = draw({1, 6, 8});
  const Tensor before = a.layer(x), after = a.layer(cat({slice(x, 1, 0, 4), draw({1, 2, 8}, 2)}, 1));
  CHECK(difference(slice(after, 1, 0, 4), slice(before, 1, 0, 4), 1e-15) == "");
  CHECK(max_difference(slice(after, 1, 4), slice(before, 1, 4)) > 0.01);
}

TEST_CASE("attn-multi-head: without a causal mask the first position sees the last") {
  Attention a({.d_model = 8, .heads = 2, .causal = false});
  const Tensor x = draw({1, 6, 8});
  const Tensor before = a.layer(x), after = a.layer(cat({slice(x, 1, 0, 5), draw({1, 1, 8}, 2)}, 1));
  CHECK(max_difference(slice(after, 1, 0, 1), slice(before, 1, 0, 1)) > 1e-3);
}

TEST_CASE("attn-multi-head: the positions of a memory are 0, 1, …: on x itself cross-attention is self-attention") {
  Attention a({.d_model = 8, .heads = 2});
  const Tensor x = draw({2, 5, 8});
  CHECK(equal(a.layer(x, {.memory = x}), a.layer(x)));
}

TEST_CASE("attn-multi-head: a bias is added to that of the position encoding, by hand with ALiBi") {
  const auto layer_with = [](nn::PositionEncodingPtr position) {
    manual_seed(1);
    auto layer = std::make_unique<nn::MultiHeadAttention>(nn::AttentionOptions{.d_model = 8, .heads = 2}, position);
    layer->to(DType::f64);
    return layer;
  };
  const auto alibi = std::make_shared<nn::ALiBi>(nn::PositionOptions{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16});
  const Tensor x = draw({2, 3, 8}), bias = draw({3, 3}, 2);
  const Tensor distances = tensor({{0, 1, 2}, {1, 0, 1}, {2, 1, 0}}, DType::f64);
  const Tensor both = bias - stack({distances / 16, distances / 256}, 0);  // slopes 2⁻⁴ and 2⁻⁸
  CHECK(difference((*layer_with(alibi))(x, {.bias = bias}), (*layer_with(nullptr))(x, {.bias = both}), 1e-14) == "");
}

TEST_CASE("attn-multi-head: what an encoding gives for the values is added, by hand with Shaw's, a row for all distances") {
  const auto shaw = std::make_shared<nn::ShawPosition>(nn::PositionOptions{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16});
  const auto layer_with = [](nn::PositionEncodingPtr position) {
    manual_seed(1);
    auto layer = std::make_unique<nn::MultiHeadAttention>(nn::AttentionOptions{.d_model = 8, .heads = 2}, position);
    layer->to(DType::f64);
    return layer;
  };
  const Tensor row = draw({4}, 2), x = draw({2, 3, 8});
  shaw->to(DType::f64);
  shaw->key_rows.fill(0);
  shaw->value_rows.assign(expand(row, shaw->value_rows.shape()));
  const auto plain = layer_with(nullptr);  // Σ_j P_ij (v_j + row) = Σ_j P_ij v_j + row
  CHECK(difference((*layer_with(shaw))(x), (*plain)(x) + plain->out_proj(cat({row, row}, 0)), 1e-14) == "");
}

TEST_CASE("attn-multi-head: 4 d² weights for any number of heads, and 4 d biases if wanted") {
  for (const int64_t heads : {1, 2, 4}) CHECK(Attention({.d_model = 8, .heads = heads}).layer.parameter_count() == 4 * 64);
  CHECK(Attention({.d_model = 8, .heads = 2, .bias = true}).layer.parameter_count() == 4 * 64 + 4 * 8);
  CHECK(Attention({.d_model = 8, .heads = 2, .causal = true}).layer.describe() == "MultiHeadAttention(2 heads of 4, causal)");
  CHECK(Attention({.d_model = 8, .heads = 2}).layer.describe() == "MultiHeadAttention(2 heads of 4)");
}

TEST_CASE("attn-multi-head: the position encoding's tables are not part of the layer's state") {
  Attention a({.d_model = 8, .heads = 2});
  std::vector<std::string> paths;
  for (const auto& [path, tensor, role] : a.layer.state_dict()) paths.push_back(path);
  CHECK(paths == std::vector<std::string>{"q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight"});
}

TEST_CASE("attn-multi-head: heads of a given width: [H d_head, d_model] of weights, and as many numbers in the cache") {
  Attention a({.d_model = 6, .heads = 4, .kv_heads = 2, .head_dim = 8, .bias = true, .causal = true});
  CHECK(a.layer.q_proj.weight.shape() == Shape{32, 6});
  CHECK(a.layer.k_proj.weight.shape() == Shape{16, 6});
  CHECK(a.layer.v_proj.bias.shape() == Shape{16});
  CHECK(a.layer.out_proj.weight.shape() == Shape{6, 32});
  CHECK(a.layer.str().find("4 heads of 8, 2 of keys and values") != std::string::npos);
  nn::KeyValueCache cache;
  CHECK(a.layer(draw({3, 5, 6}), {.cache = &cache}).shape() == Shape{3, 5, 6});
  CHECK(cache.keys.shape() == Shape{3, 5, 2, 8});
}

TEST_CASE("attn-multi-head: a given width of d_model / heads changes nothing") {
  Attention plain({.d_model = 8, .heads = 2}), given({.d_model = 8, .heads = 2, .head_dim = 4});
  given.layer.load_state_dict(plain.layer.state_dict());
  CHECK(equal(plain.layer(draw({1, 5, 8})), given.layer(draw({1, 5, 8}))));
}

TEST_CASE("head_dim: heads share the width, or have one that is given") {
  CHECK(nn::head_dim(12, 3) == 4);
  CHECK(nn::head_dim(12, 1) == 12);
  CHECK(nn::head_dim(12, 5, 7) == 7);
}

TEST_CASE("MultiHeadAttention: errors") {
  const auto position = std::make_shared<nn::RoPE>(nn::PositionOptions{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 4});
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 3}, position), "MultiHeadAttention: 3 heads do not divide d_model 8",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 0}, position), "MultiHeadAttention: 0 heads do not divide d_model 8",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 2, .dropout = 1}, position),
                       "MultiHeadAttention: dropout must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 2, .window = -1}, position),
                       "MultiHeadAttention: the window must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 2, .softcap = -30}, position),
                       "MultiHeadAttention: the softcap must be finite and not negative, got -30", ValueError);
  for (const double p : {-0.5, 1.0, 1.5}) {
    CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 2, .attention_dropout = p}, position),
                         fmt::format("MultiHeadAttention: attention_dropout must be in [0, 1), got {}", p).c_str(), ValueError);
  }
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 2}, position);
  CHECK_THROWS_WITH_AS(layer(zeros({1, 3, 7})), "MultiHeadAttention(2 heads of 4): expected [B, T, 8], got [1, 3, 7]", ShapeError);
  CHECK_THROWS_WITH_AS(layer(zeros({3, 8})), "MultiHeadAttention(2 heads of 4): expected [B, T, 8], got [3, 8]", ShapeError);
  CHECK_THROWS_WITH_AS(
      layer(zeros({1, 5, 8})),
      "MultiHeadAttention(2 heads of 4): RoPE: position 4 is beyond the table's last, 3; build it with a larger max_length", ValueError);
}
