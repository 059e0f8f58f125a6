#include "nn/attention/attention.h"

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/activation/softmax.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

TensorFunction fast(bool causal) {
  return [causal](const Tensors& in) { return nn::attention(in[0], in[1], in[2], {.causal = causal}); };
}
TensorFunction formula(bool causal) {
  return [causal](const Tensors& in) { return nn::formula::attention(in[0], in[1], in[2], {.causal = causal}); };
}

Tensors queries_keys_values(int64_t batch, int64_t queries, int64_t keys, int64_t heads, int64_t d) {
  return {draw({batch, queries, heads, d}, 1), draw({batch, keys, heads, d}, 2), draw({batch, keys, heads, d}, 3)};
}

// x with all positions from `first` on changed.
Tensor changed_from(const Tensor& x, int64_t first) {
  const Tensor position = reshape(arange(x.size(1)), {x.size(1), 1, 1});
  return x + cast(position >= static_cast<double>(first), x.dtype());
}

}  // namespace

TEST_CASE("attn-scaled-dot: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("attention/causal", fast(true)) == "");
  CHECK(against_pytorch("attention/causal_cached", fast(true)) == "");
  CHECK(against_pytorch("attention/full", fast(false)) == "");
}

TEST_CASE("attn-scaled-dot: the fast path is the formula") {
  for (const bool causal : {true, false}) {
    CHECK(check_fused("attention, T = S", fast(causal), formula(causal), queries_keys_values(2, 3, 3, 2, 2)) == "");
    CHECK(check_fused("attention, T < S", fast(causal), formula(causal), queries_keys_values(1, 2, 5, 2, 3)) == "");
  }
  CHECK(check_fused("attention, T > S", fast(false), formula(false), queries_keys_values(1, 4, 2, 1, 2)) == "");
}

TEST_CASE("attn-scaled-dot, attn-gqa, attn-sink: values may be wider or narrower than queries and keys, or have no width") {
  const auto inputs = [](int64_t queries, int64_t keys, int64_t heads, int64_t groups, int64_t d, int64_t e) {
    return Tensors{draw({2, queries, heads, d}, 1), draw({2, keys, groups, d}, 2), draw({2, keys, groups, e}, 3)};
  };
  for (const bool causal : {true, false}) {
    CHECK(check_fused("wide values", fast(causal), formula(causal), inputs(3, 4, 2, 1, 2, 5)) == "");
    CHECK(check_fused("narrow values", fast(causal), formula(causal), inputs(3, 3, 4, 2, 3, 1)) == "");
    CHECK(check_fused("wide values in tiles", fast(causal), formula(causal), inputs(70, 130, 2, 2, 3, 17), {.differences = false}) == "");
  }
  const auto with_sink = [](auto attend) {
    return [attend](const Tensors& in) {
      return attend(in[0], in[1], in[2], nn::ScaledDotOptions{.causal = true, .window = 2, .sink = in[3]});
    };
  };
  Tensors four = inputs(3, 4, 2, 1, 2, 5);
  four.push_back(draw({2}, 4));
  CHECK(check_fused("wide values, a window and a sink", with_sink(nn::attention), with_sink(nn::formula::attention), four) == "");
  const Tensors some = inputs(3, 4, 2, 1, 2, 5);
  const Tensor y = nn::attention(some[0], some[1], some[2]);
  CHECK(y.shape() == Shape{2, 3, 2, 5});
  for (int64_t from = 0; from < 4; from += 2) {  // every column by itself: as of values of width 2
    const Tensor part = nn::attention(some[0], some[1], slice(some[2], -1, from, from + 2));
    CHECK(difference(slice(y, -1, from, from + 2), part, 1e-15) == "");
  }
  const Tensors none = inputs(3, 4, 2, 1, 2, 0);
  CHECK(nn::attention(none[0], none[1], none[2]).shape() == Shape{2, 3, 2, 0});
  for (const nn::ScaledDotOptions& by_ops : {nn::ScaledDotOptions{.softcap = 5}, {.bias = zeros({3, 4}, DType::f64)}}) {
    CHECK(nn::attention(some[0], some[1], some[2], by_ops).shape() == Shape{2, 3, 2, 5});
  }
}

// Tiles are of 32 queries, and of 64 where there are more than 512 keys: one less, one more, several, and what a cache leaves before
// them. Heads fill whole vectors, or do not.
TEST_CASE("attn-scaled-dot: tiles of any size and number are the formula") {
  const FusedOptions no_differences{.differences = false};
  for (const auto& [queries, width] : {std::pair{1, 3}, {63, 3}, {64, 16}, {65, 35}, {130, 3}, {515, 3}}) {
    for (const int64_t past : {0, 7}) {
      for (const bool causal : {true, false}) {
        const std::string name = fmt::format("attention of {} queries and {} keys", queries, queries + past);
        const Tensors inputs = queries_keys_values(1, queries, queries + past, 2, width);
        CHECK(check_fused(name, fast(causal), formula(causal), inputs, no_differences) == "");
      }
    }
  }
}

TEST_CASE("attn-scaled-dot: q = 0 looks at all keys alike, so y is a mean of values") {
  const Tensor v = draw({1, 4, 1, 3}, 1), zero = zeros({1, 4, 1, 3}, DType::f64);
  const Tensor full = nn::attention(zero, v, v, {.causal = false});
  CHECK(difference(full, expand(mean(v, 1, true), v.shape()), 1e-15) == "");
  const Tensor causal = nn::attention(zero, v, v, {.causal = true});
  const Tensor seen = reshape(arange(1, 5, 1, DType::f64), {4, 1, 1});
  CHECK(difference(causal, cumsum(v, 1) / seen, 1e-15) == "");
}

TEST_CASE("attn-scaled-dot: scores are divided by √d_head, and large ones do not overflow") {
  const Tensor q = full({1, 1, 1, 4}, 2, DType::f64), k = tensor({1, 0.5}, DType::f64);
  const Tensor keys = expand(reshape(k, {1, 2, 1, 1}), {1, 2, 1, 4});
  const Tensor v = reshape(tensor({1, 0, 0, 0, 0, 1, 0, 0}, DType::f64), {1, 2, 1, 4});
  const Tensor expected = nn::softmax(tensor({8 / 2.0, 4 / 2.0}, DType::f64));
  CHECK(difference(slice(flatten(nn::attention(q, keys, v, {.causal = false})), 0, 0, 2), expected, 1e-15) == "");
  const Tensor huge = cast(keys * 1000, DType::f32);
  CHECK(to_vector(nn::attention(cast(q, DType::f32), huge, cast(v, DType::f32), {.causal = false})) == Values{1, 0, 0, 0});
}

TEST_CASE("attn-causal-mask: a change at position t moves no output before t, to the last bit") {
  const Tensors x = queries_keys_values(2, 70, 70, 2, 3);
  const Tensor before = nn::attention(x[0], x[1], x[2], {.causal = true});
  for (const int64_t t : {1, 40, 64, 69}) {
    const Tensor after = nn::attention(changed_from(x[0], t), changed_from(x[1], t), changed_from(x[2], t), {.causal = true});
    CHECK(equal(slice(after, 1, 0, t), slice(before, 1, 0, t)));
    CHECK(max_difference(slice(after, 1, t), slice(before, 1, t)) > 0.01);
  }
}

TEST_CASE("attn-causal-mask: no gradient flows to later keys and values") {
  Tensors x = queries_keys_values(1, 6, 6, 1, 2);
  for (Tensor& leaf : x) leaf.set_requires_grad();
  const Tensor y = slice(nn::attention(x[0], x[1], x[2], {.causal = true}), 1, 0, 3);  // the first three queries
  for (const Tensor& gradient : grad({sum(y * y)}, x)) {
    CHECK(equal(slice(gradient, 1, 3), zeros({1, 3, 1, 2}, DType::f64)));
  }
}

TEST_CASE("attn-causal-mask: a later value does not matter to an earlier gradient, even if their product overflows") {
  Tensors x{ones({1, 2, 1, 1}), ones({1, 2, 1, 1}), reshape(tensor({1, 1e30}), {1, 2, 1, 1})};
  for (Tensor& leaf : x) leaf.set_requires_grad();
  const Tensor y = nn::attention(x[0], x[1], x[2], {.causal = true});
  const Tensors found = grad({y}, x, {.seeds = {reshape(tensor({1e20, 0}), {1, 2, 1, 1})}});
  CHECK(to_vector(found[0]) == Values{0, 0});  // a query that sees one key
  CHECK(to_vector(found[1]) == Values{0, 0});
  CHECK(equal(flatten(found[2]), tensor({1e20, 0})));
}

TEST_CASE("attn-causal-mask: fewer queries than keys are the last positions, as with a cache") {
  const Tensors x = queries_keys_values(1, 9, 9, 2, 4);
  const Tensor all = nn::attention(x[0], x[1], x[2], {.causal = true});
  const Tensor last = nn::attention(slice(x[0], 1, 6), x[1], x[2], {.causal = true});
  CHECK(difference(last, slice(all, 1, 6), 1e-15) == "");
}

TEST_CASE("convention-causal-corner: 3 queries of 6 keys see 4, 5 and 6 of them; counted from the first place they would see 1, 2 and 3") {
  const Tensor q = zeros({1, 3, 1, 1}), k = zeros({1, 6, 1, 1}), v = reshape(arange(1, 7, 1, DType::f32), {1, 6, 1, 1});
  const Tensor last = nn::attention(q, k, v, {.causal = true});  // equal scores: the mean of what is seen
  CHECK(difference(flatten(last), tensor({2.5, 3, 3.5}), 1e-6) == "");
  const Tensor first = nn::attention(q, k, v, {.mask = tril(ones({3, 6}, DType::i64))});
  CHECK(difference(flatten(first), tensor({1, 1.5, 2}), 1e-6) == "");  // PyTorch 2.15 with is_causal
}

TEST_CASE("pos-none: without a mask, attention does not see the order of the keys") {
  const Tensors x = queries_keys_values(1, 3, 5, 1, 2);
  const Tensor order = tensor({4, 2, 0, 1, 3}, DType::i64);
  const Tensor shuffled = nn::attention(x[0], index_select(x[1], 1, order), index_select(x[2], 1, order), {.causal = false});
  CHECK(difference(shuffled, nn::attention(x[0], x[1], x[2], {.causal = false}), 1e-14) == "");
}

TEST_CASE("repeat_heads, weigh_values: heads that do not divide are refused, none at all too") {
  const Tensor two = zeros({1, 3, 2, 4}), none = zeros({1, 3, 0, 4});
  for (const auto& [x, heads] : {std::pair{two, 3}, {two, 0}, {two, -2}, {two, 1}, {none, 3}, {none, 0}}) {
    const std::string message = fmt::format("repeat_heads: expected x [B, S, G, d] with G dividing {} heads, got {}", heads, x.shape());
    CHECK_THROWS_WITH_AS(nn::repeat_heads(x, heads), message.c_str(), ShapeError);
  }
  CHECK_THROWS_WITH_AS(nn::weigh_values(zeros({1, 2, 3, 3}), none),
                       "weigh_values: expected probabilities [B, H, T, S] and v [B, S, G, d] with G dividing H, got "
                       "[1, 2, 3, 3], [1, 3, 0, 4]",
                       ShapeError);
}

TEST_CASE("attention: errors") {
  const Tensor x = zeros({1, 3, 2, 4});
  CHECK_THROWS_WITH_AS(nn::attention(zeros({3, 4}), x, x),
                       "attention: expected q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] with G dividing H, got [3, 4], "
                       "[1, 3, 2, 4], [1, 3, 2, 4]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(
      nn::attention(zeros({1, 3, 3, 4}), x, x),
      "attention: expected q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] with G dividing H, got [1, 3, 3, 4], "
      "[1, 3, 2, 4], [1, 3, 2, 4]; the layout here is [B, T, H, d]: if the heads came first, [B, H, T, d], use transpose(x, 1, 2)",
      ShapeError);
  CHECK_THROWS_WITH_AS(nn::attention(x, zeros({1, 2, 2, 4}), zeros({1, 2, 2, 4}), {.causal = true}),
                       "attention: causal with 3 queries but only 2 keys: the first would see nothing", ShapeError);
  CHECK_THROWS_AS(nn::attention(x, cast(x, DType::f64), x), DTypeError);
  CHECK_THROWS_AS(nn::attention(cast(x, DType::i64), cast(x, DType::i64), cast(x, DType::i64)), DTypeError);
  const Tensor narrow = randn({1, 2, 1, 4}), wide = cast(narrow, DType::f64);
  CHECK_THROWS_WITH_AS(nn::attention(narrow, wide, wide), "attention: q is f32, but k is f64; use cast(q, DType::f64) first", DTypeError);
  // A window wider than all there is hides nothing, however wide.
  CHECK(equal(nn::attention(narrow, narrow, narrow, {.causal = false, .window = std::numeric_limits<int64_t>::max()}),
              nn::attention(narrow, narrow, narrow, {.causal = false})));
}

TEST_CASE("attn-causal-mask: a query that sees no key gives zeros, and no gradient") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    Tensor q = ones({1, 3, 2, 4}).set_requires_grad();
    const Tensor none = zeros({1, 0, 2, 4});
    const Tensor y = nn::attention(q, none, none, {.causal = false});
    CHECK(equal(y, zeros({1, 3, 2, 4})));
    CHECK(equal(grad({y}, {q}, {.seeds = {ones({1, 3, 2, 4})}})[0], zeros({1, 3, 2, 4})));
  }
}

TEST_CASE("attention: no samples, no queries") {
  for (const Shape& shape : {Shape{0, 3, 2, 4}, Shape{2, 0, 2, 4}}) {
    Tensor x = zeros(shape).set_requires_grad();
    const Tensor y = nn::attention(x, x, x, {.causal = true});
    CHECK(y.shape() == shape);
    CHECK(grad({y}, {x}, {.seeds = {zeros(shape)}})[0].shape() == shape);
  }
}

TEST_CASE("attn-scaled-dot: without heads of queries, keys and values get gradients of 0") {
  const Tensor q = zeros({1, 2, 0, 2}).set_requires_grad(), k = ones({1, 3, 1, 2}).set_requires_grad();
  const Tensors found = grad({sum(nn::attention(q, k, k))}, {k}, {.allow_unused = true});
  CHECK(equal(found[0], zeros_like(k)));
}

// q kᵀ is exact in both dtypes, so that they differ by the kernel's rounding alone.
TEST_CASE("attn-scaled-dot: in f32 the probabilities that backward computes again sum to 1, however large the scores") {
  for (const double large : {0.0, 1e4, 1e6, 1e7}) {
    CAPTURE(large);
    const auto gradients = [&](DType dtype) {
      const Tensor q = ones({1, 3, 1, 1}, dtype), k = (arange(4).to(dtype) + large).reshape({1, 4, 1, 1}), v = k.detached_copy() - large;
      for (const Tensor* x : {&q, &k, &v}) Tensor(*x).set_requires_grad();
      const Tensor y = nn::attention(q, k, v, {.scale = 1});
      return grad({y}, {q, k, v}, {.seeds = {ones_like(y)}});
    };
    const Tensors narrow = gradients(DType::f32), exact = gradients(DType::f64);
    CHECK(sum(narrow[2]).item() == doctest::Approx(3).epsilon(1e-6));  // dL/dv: each of 3 queries hands on 1
    CHECK(difference(narrow[1], exact[1], 2e-6) == "");
    CHECK(difference(narrow[2], exact[2], 2e-6) == "");
    CHECK(difference(narrow[0], exact[0], 1e-6 * (1 + large)) == "");  // Σ dS k cancels where k is large
  }
}
