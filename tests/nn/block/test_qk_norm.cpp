#include "nn/block/qk_norm.h"

#include "nn/block/multi_head_attention.h"
#include "nn/norm/rms_norm.h"
#include "nn/position/rope.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor single(const Tensor& x) { return cast(x, DType::f32); }

}  // namespace

TEST_CASE("norm-qk: normalises every head's q and k, which bounds every score by √d") {
  nn::QKNorm norm(8);
  const Tensor q = single(100 * draw({2, 5, 3, 8})), k = single(100 * draw({2, 7, 3, 8}, 4));
  const auto [q_hat, k_hat] = norm.forward(q, k);
  CHECK(equal(q_hat, nn::rms_norm(q, ones({8}))));
  CHECK(k_hat.shape() == k.shape());
  const Tensor scores =
      matmul(permute(q_hat, {0, 2, 1, 3}), permute(k_hat, {0, 2, 1, 3}), {.transpose_b = true}) / std::sqrt(8.0);
  CHECK(max(abs(scores)).item() <= std::sqrt(8.0) * (1 + 1e-5));  // Cauchy and Schwarz: √d √d / √d
  CHECK(norm.parameter_count() == 16);
  CHECK(nn::QKNorm(8, "layer").parameter_count() == 32);
  CHECK_THROWS_WITH_AS(nn::QKNorm(8, "laier"), "unknown norm 'laier'; did you mean 'layer'?", ValueError);
}

TEST_CASE("norm-qk: q and k have a norm each, with gradients of their own") {
  nn::QKNorm norm(4);
  const nn::NamedTensors gains = norm.named_parameters();
  for (std::size_t i = 0; i < gains.size(); ++i) Tensor(gains[i].tensor).fill(2 + static_cast<double>(i));
  const Tensor q = single(draw({1, 2, 2, 4})).set_requires_grad(), k = single(draw({1, 3, 2, 4}, 4)).set_requires_grad();
  const auto [q_hat, k_hat] = norm.forward(q, k);
  CHECK(equal(q_hat, nn::rms_norm(q, full({4}, 2))));
  CHECK(equal(k_hat, nn::rms_norm(k, full({4}, 3))));
  const Tensor along_q = single(draw(q.shape(), 5)), along_k = single(draw(k.shape(), 6));
  const Tensors found = grad({q_hat, k_hat}, {q, k, gains[0].tensor, gains[1].tensor}, {.seeds = {along_q, along_k}});
  CHECK(equal(found[0], grad({nn::rms_norm(q, full({4}, 2))}, {q}, {.seeds = {along_q}})[0]));
  CHECK(equal(found[1], grad({nn::rms_norm(k, full({4}, 3))}, {k}, {.seeds = {along_k}})[0]));
  CHECK(difference(found[2], sum(along_q * nn::rms_norm(q.detach()), {0, 1, 2}), 1e-5) == "");
  CHECK(difference(found[3], sum(along_k * nn::rms_norm(k.detach()), {0, 1, 2}), 1e-5) == "");
}

// A gain that differs within a pair does not commute with the turn that RoPE gives the pair.
TEST_CASE("norm-qk: in attention each head's q and k are normalised before RoPE turns them, and the values are not") {
  const auto rope = std::make_shared<nn::RoPE>(
      nn::PositionOptions{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8});
  nn::MultiHeadAttention attention({.d_model = 8, .heads = 2, .kv_heads = 1, .qk_norm = "rms"}, rope);
  attention.to(DType::f64);
  Tensor q_gain, k_gain;
  for (const auto& [path, parameter, role] : attention.named_parameters()) {
    if (role != Role::gain) continue;
    (path.find("q_norm") != std::string::npos ? q_gain : k_gain) = parameter;
  }
  q_gain.assign(tensor({1, -2, 3, 0.5}, DType::f64));
  k_gain.assign(tensor({2, 1, -1, 3}, DType::f64));
  const Tensor x = draw({2, 5, 8}), positions = arange(5);
  const auto heads = [&](nn::Linear& projection, int64_t count) { return reshape(projection(x), {2, 5, count, 4}); };
  const auto normalised = [](const Tensor& y, const Tensor& gain) {
    return y / sqrt(mean(square(y), -1, true) + 1e-5) * gain;
  };
  const Tensor q = rope->on_queries(normalised(heads(attention.q_proj, 2), q_gain), positions),
               k = rope->on_keys(normalised(heads(attention.k_proj, 1), k_gain), positions);
  const Tensor scores = matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 1, 3}), {.transpose_b = true}) / 2;  // √4
  const Tensor weights = exp(scores) / sum(exp(scores), -1, true);
  const Tensor y = matmul(weights, permute(heads(attention.v_proj, 1), {0, 2, 1, 3}));
  const Tensor expected = attention.out_proj(reshape(permute(y, {0, 2, 1, 3}), {2, 5, 8}));
  CHECK(difference(attention(x), expected, 1e-13) == "");
  const Tensors parameters = attention.parameters(), along{draw({2, 5, 8}, 4)};
  const Tensors found = grad({attention(x)}, parameters, {.seeds = along}),
                by_hand = grad({expected}, parameters, {.seeds = along});
  for (std::size_t i = 0; i < parameters.size(); ++i) CHECK(difference(found[i], by_hand[i], 1e-12) == "");
}
