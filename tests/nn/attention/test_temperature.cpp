#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/block/multi_head_attention.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::MultiHeadAttention attention_with(double growth, int64_t length) {
  nn::MultiHeadAttention attention({.d_model = 6, .heads = 2, .causal = true, .temperature_growth = growth, .temperature_length = length});
  attention.to(DType::f64);
  return attention;
}

}  // namespace

TEST_CASE("attn-temperature: 1 + β log(1 + ⌊(p + 1) / L⌋), in plain numbers, for positions of any shape") {
  const Tensor positions = ids({0, 1, 2, 3, 4, 5, 8, 100});
  Values expected;
  for (const int64_t p : {0, 1, 2, 3, 4, 5, 8, 100}) expected.push_back(1 + 0.1 * std::log(1 + (p + 1) / 3));
  CHECK(difference(nn::query_scale(positions, 0.1, 3, DType::f64), f64(expected), 1e-15) == "");
  CHECK(nn::query_scale(reshape(positions, {2, 4}), 0.1, 3, DType::f32).shape() == Shape{2, 4});
  CHECK(nn::query_scale(positions, 0.1, 3, DType::f16).dtype() == DType::f16);
  const int64_t far = (int64_t{1} << 24) + 1;  // which f32 does not have
  CHECK(nn::query_scale(whole({far - 2, far - 1}), 1, far, DType::f64).at({0}) == 1);
  CHECK(nn::query_scale(whole({far - 2, far - 1}), 1, far, DType::f64).at({1}) == 1 + std::log(2));
}

TEST_CASE("convention-temperature-position: Llama 4 counts p + 1, so that its steps come one position before Ministral 3's") {
  // get_llama_4_attn_scale of transformers 5.24.0 for β = 0.1 and a length of 4
  const auto ministral = [](int64_t p) { return 1 + 0.1 * std::log(1 + std::floor(static_cast<double>(p) / 4)); };
  for (int64_t p = 0; p < 20; ++p) {
    CHECK(nn::query_scale(whole({p}), 0.1, 4, DType::f64).at({0}) == doctest::Approx(ministral(p + 1)).epsilon(1e-15));
  }
  CHECK(nn::query_scale(ids({3}), 0.1, 4, DType::f64).at({0}) > ministral(3));
}

TEST_CASE("attn-temperature: scores are those of attention times the factor of the query's position") {
  nn::MultiHeadAttention plain = attention_with(0, 2), sharper = attention_with(0.9, 2);
  sharper.load_state_dict(plain.state_dict());
  const Tensor x = draw({2, 5, 6}, 1);
  CHECK(max_difference(plain(x), sharper(x)) > 1e-3);
  CHECK(difference(slice(plain(x), 1, 0, 1), slice(sharper(x), 1, 0, 1), 1e-15) == "");  // before the first step
  const auto heads = [](const Tensor& y) { return reshape(y, {2, 5, 2, 3}); };
  Tensor q = heads(plain.q_proj(x));
  q = q * reshape(f64({1, 1 + 0.9 * std::log(2), 1 + 0.9 * std::log(2), 1 + 0.9 * std::log(3), 1 + 0.9 * std::log(3)}), {5, 1, 1});
  const Tensor y = nn::attention(q, heads(plain.k_proj(x)), heads(plain.v_proj(x)), {.causal = true});
  CHECK(difference(sharper(x), plain.out_proj(reshape(y, {2, 5, 6})), 1e-14) == "");
  const Tensor positions = ids({{0, 1, 2, 3, 4}, {7, 8, 9, 10, 11}});
  CHECK(difference(slice(sharper(x, {.positions = positions}), 0, 0, 1), slice(sharper(x), 0, 0, 1), 1e-15) == "");
  CHECK(max_difference(slice(sharper(x, {.positions = positions}), 0, 1), slice(sharper(x), 0, 1)) > 1e-4);
}

TEST_CASE("attn-temperature: its gradient, first and second order; a length of 0 and a growth that is no number are refused") {
  nn::MultiHeadAttention attention = attention_with(0.9, 2);
  const auto f = [&](const Tensors& in) { return attention(in[0]); };
  CHECK(gradcheck(f, {draw({1, 4, 6}, 1)}).passed);
  CHECK(gradgradcheck(f, {draw({1, 4, 6}, 1)}).passed);
  CHECK_THROWS_WITH_AS(attention_with(0.1, 0), "MultiHeadAttention: temperature_length must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(attention_with(kNaN, 1), "MultiHeadAttention: temperature_growth must be finite, got nan", ValueError);
}
