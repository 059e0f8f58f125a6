#include "core/inspect/compare.h"
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
  nn::HeadNorms norm(8);
  const Tensor q = single(100 * draw({2, 5, 3, 8}, 3)), k = single(100 * draw({2, 7, 3, 8}, 4));
  const auto [q_hat, k_hat] = norm(q, k);
  CHECK(equal(q_hat, nn::rms_norm(q, ones({8}))));
  CHECK(k_hat.shape() == k.shape());
  const Tensor scores = matmul(permute(q_hat, {0, 2, 1, 3}), permute(k_hat, {0, 2, 1, 3}), {.transpose_b = true}) / std::sqrt(8.0);
  CHECK(max(abs(scores)).item() <= std::sqrt(8.0) * (1 + 1e-5));  // Cauchy and Schwarz: √d √d / √d
  CHECK(norm.parameter_count() == 16);
  CHECK(nn::HeadNorms(8, "layer").parameter_count() == 32);
  CHECK_THROWS_WITH_AS(nn::HeadNorms(8, "laier"), "unknown norm 'laier'; did you mean 'layer'?", ValueError);
}

TEST_CASE("norm-qk: q and k have a norm each, with gradients of their own") {
  nn::HeadNorms norm(4);
  const nn::NamedTensors gains = norm.named_parameters();
  for (std::size_t i = 0; i < gains.size(); ++i) Tensor(gains[i].tensor).fill(2 + static_cast<double>(i));
  const Tensor q = single(draw({1, 2, 2, 4}, 3)).set_requires_grad(), k = single(draw({1, 3, 2, 4}, 4)).set_requires_grad();
  const auto [q_hat, k_hat] = norm(q, k);
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
  const auto rope = std::make_shared<nn::RoPE>(nn::PositionOptions{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8});
  nn::MultiHeadAttention attention({.d_model = 8, .heads = 2, .kv_heads = 1, .qk_norm = "rms"}, rope);
  attention.to(DType::f64);
  Tensor q_gain, k_gain;
  for (const auto& [path, parameter, role] : attention.named_parameters()) {
    if (role != Role::gain) continue;
    (path.find("q_norm") != std::string::npos ? q_gain : k_gain) = parameter;
  }
  q_gain.assign(tensor({1, -2, 3, 0.5}, DType::f64));
  k_gain.assign(tensor({2, 1, -1, 3}, DType::f64));
  const Tensor x = draw({2, 5, 8}, 3), positions = arange(5);
  const auto heads = [&](nn::Linear& projection, int64_t count) { return reshape(projection(x), {2, 5, count, 4}); };
  const auto normalised = [](const Tensor& y, const Tensor& gain) { return y / sqrt(mean(square(y), -1, true) + 1e-5) * gain; };
  const Tensor q = rope->on_queries(normalised(heads(attention.q_proj, 2), q_gain), positions),
               k = rope->on_keys(normalised(heads(attention.k_proj, 1), k_gain), positions);
  const Tensor scores = matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 1, 3}), {.transpose_b = true}) / 2;  // √4
  const Tensor weights = exp(scores) / sum(exp(scores), -1, true);
  const Tensor y = matmul(weights, permute(heads(attention.v_proj, 1), {0, 2, 1, 3}));
  const Tensor expected = attention.out_proj(reshape(permute(y, {0, 2, 1, 3}), {2, 5, 8}));
  CHECK(difference(attention(x), expected, 1e-13) == "");
  const Tensors parameters = attention.parameters(), along{draw({2, 5, 8}, 4)};
  const Tensors found = grad({attention(x)}, parameters, {.seeds = along}), by_hand = grad({expected}, parameters, {.seeds = along});
  for (std::size_t i = 0; i < parameters.size(); ++i) CHECK(difference(found[i], by_hand[i], 1e-12) == "");
}

TEST_CASE("norm-qk-cosine: scores are g times the cosine, g of each head 10 at first, and never above 100") {
  nn::CosineQKNorm norm(4, 3);
  norm.to(DType::f64);
  const Tensor q = 100 * draw({2, 5, 3, 4}, 3), k = 0.01 * draw({2, 6, 3, 4}, 4);
  const auto scores = [&] {
    const auto [q_hat, k_hat] = norm(q, k);
    return matmul(permute(q_hat, {0, 2, 1, 3}), permute(k_hat, {0, 2, 1, 3}), {.transpose_b = true}) * norm.score_scale(0.5);
  };
  const auto length = [](const Tensor& x) { return sqrt(sum(square(x), -1)); };
  const Tensor lengths = matmul(unsqueeze(permute(length(q), {0, 2, 1}), -1), unsqueeze(permute(length(k), {0, 2, 1}), -2));
  const Tensor cosines = matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 1, 3}), {.transpose_b = true}) / lengths;
  CHECK(difference(scores(), 10 * cosines, 1e-7) == "");  // log 10 began in f32
  norm.log_scale.assign(tensor({0, std::log(7), 50}, DType::f64));
  CHECK(difference(scores(), reshape(tensor({1, 7, 100}, DType::f64), {3, 1, 1}) * cosines, 1e-8) == "");
  const Tensor found = gradient(scores(), norm.log_scale, draw(cosines.shape(), 9));
  CHECK(difference(found, sum(draw(cosines.shape(), 9) * scores(), {0, 2, 3}) * tensor({1, 1, 0}, DType::f64), 1e-12) == "");
}

TEST_CASE("convention-cosine-scale: from 10 for each head, or from log2(L² - L) for all, 11.98 for L = 64") {
  CHECK(exp(nn::CosineQKNorm(4, 2).log_scale).at({1}) == doctest::Approx(10).epsilon(1e-7));
  CHECK(std::log2(64 * 64 - 64) == doctest::Approx(11.97728).epsilon(1e-7));
  CHECK(nn::CosineQKNorm::kLargest == 100);
}

TEST_CASE("norm-qk-cosine: first and second derivatives, by differences; zeros stay zeros") {
  const auto f = [](const Tensors& in) {
    nn::CosineQKNorm norm(3, 2);
    norm.log_scale.share(nn::Parameter(in[2]));
    const auto [q, k] = norm(in[0], in[1]);
    return matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 3, 1}));
  };
  CHECK(check_derivatives(f, {draw({1, 2, 2, 3}, 3), draw({1, 3, 2, 3}, 4), draw({2}, 5)}) == "");
  CHECK(equal(nn::CosineQKNorm(3, 2)(zeros({1, 2, 2, 3}), ones({1, 2, 2, 3})).first, zeros({1, 2, 2, 3})));
}

TEST_CASE("norm-qk-cosine: by name its ε is 1e-12, beside the square of the length: 1e-6 becomes 1/√2") {
  const nn::QKNormPtr norm = nn::qk_norms().find("cosine").value({.head_dim = 1, .heads = 1});
  norm->to(DType::f64);
  const Tensor x = full({1, 1, 1, 1}, 1e-6, DType::f64);
  CHECK((*norm)(x, x).second.item() == doctest::Approx(std::sqrt(0.5)).epsilon(1e-12));
}

TEST_CASE("norm-qk-cosine: in attention q · k is multiplied by 1, not 1/√d, unless a scale is asked for") {
  const auto attend = [](nn::AttentionOptions options, double factor) {
    manual_seed(1);
    nn::MultiHeadAttention attention(options);
    Tensor x = single(draw({1, 4, 8}, 3));
    const auto heads = [&](nn::Linear& projection) { return reshape(projection(x), {1, 4, 2, 4}); };
    const auto unit = [](const Tensor& y) { return y / sqrt(sum(square(y), -1, true)); };
    const Tensor by_hand =
        nn::attention(10 * unit(heads(attention.q_proj)), unit(heads(attention.k_proj)), heads(attention.v_proj), {.scale = factor});
    return max_difference(attention(x), attention.out_proj(reshape(by_hand, {1, 4, 8})));
  };
  CHECK(attend({.d_model = 8, .heads = 2, .qk_norm = "cosine"}, 1) < 1e-6);
  CHECK(attend({.d_model = 8, .heads = 2, .scale = 0.2, .qk_norm = "cosine"}, 0.2) < 1e-6);
  CHECK(attend({.d_model = 8, .heads = 2, .qk_norm = "cosine"}, 0.5) > 1e-3);
}

TEST_CASE("norm-qk-cosine: errors") {
  nn::CosineQKNorm norm(4, 2);
  CHECK_THROWS_WITH_AS(norm(zeros({1, 2, 2, 3}), zeros({1, 2, 2, 3})),
                       "CosineQKNorm(2 heads, from 10): expected [B, T, H, 4], got [1, 2, 2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(norm(zeros({1, 2, 1, 4}), zeros({1, 2, 1, 4})),
                       "CosineQKNorm(2 heads, from 10): has a scale for each of 2 heads, got queries of 1", ShapeError);
  CHECK_THROWS_WITH_AS(nn::CosineQKNorm(0, 2), "CosineQKNorm: head_dim and heads must be positive, got 0 and 2", ValueError);
  CHECK_THROWS_AS(nn::CosineQKNorm(4, 2, -1), ValueError);
  CHECK_THROWS_WITH_AS(nn::QKNormChoice("cosin"), "unknown qk-norm 'cosin'; did you mean 'cosine'?", ValueError);
}
