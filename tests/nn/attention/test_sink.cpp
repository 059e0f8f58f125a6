// The sink: one more term in the softmax's denominator.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "nn/attention/attention.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

TensorFunction fast_sink(const nn::ScaledDotOptions& options) {
  return [options](const Tensors& in) {
    nn::ScaledDotOptions given = options;
    given.sink = in[3];
    return nn::attention(in[0], in[1], in[2], given);
  };
}
TensorFunction sink_formula(const nn::ScaledDotOptions& options) {
  return [options](const Tensors& in) {
    nn::ScaledDotOptions given = options;
    given.sink = in[3];
    return nn::formula::attention(in[0], in[1], in[2], given);
  };
}

// q, k and v of `groups` heads, and a sink for each head of q.
Tensors inputs(int64_t queries, int64_t keys, int64_t heads, int64_t groups) {
  return {draw({2, queries, heads, 3}, 1), draw({2, keys, groups, 3}, 2), draw({2, keys, groups, 3}, 3), draw({heads}, 4)};
}

}  // namespace

TEST_CASE("attn-sink: values and gradients are those of attention times the keys' share σ(log Z - s)") {
  CHECK(against_pytorch("attention/sink", fast_sink({.causal = true})) == "");
  CHECK(against_pytorch("attention/sink_full", fast_sink({})) == "");
}

TEST_CASE("attn-sink: the fast path is the formula, causal, in a window, with shared heads, and with tiles") {
  for (const nn::ScaledDotOptions& options :
       {nn::ScaledDotOptions{.causal = true}, {.causal = false}, {.causal = true, .window = 2}, {.scale = 0.3}}) {
    CHECK(check_fused("attention with a sink", fast_sink(options), sink_formula(options), inputs(3, 4, 2, 2)) == "");
  }
  CHECK(check_fused("shared heads", fast_sink({.causal = true}), sink_formula({.causal = true}), inputs(3, 3, 4, 2)) == "");
  const FusedOptions no_differences{.differences = false};
  CHECK(check_fused("tiles", fast_sink({.causal = true}), sink_formula({.causal = true}), inputs(130, 137, 2, 1), no_differences) == "");
}

TEST_CASE("attn-sink: beside a mask, a bias, a cap; by differences") {
  const Tensor mask = tensor({{1, 0, 1}, {0, 0, 0}, {1, 1, 1}}, DType::i64), bias = draw({2, 3, 3}, 9);
  const TensorFunction f = fast_sink({.mask = mask, .bias = bias, .softcap = 3});
  CHECK(gradcheck(f, inputs(3, 3, 2, 2)).passed);
  CHECK(gradgradcheck(f, inputs(3, 3, 2, 2)).passed);
}

// Scores 0 and log 3, sink log 4: e⁰ + 3 + 4 = 8.
TEST_CASE("attn-sink: the probabilities of keys and sink in plain numbers; each head has its own") {
  const Tensor q = ones({1, 1, 2, 1}, DType::f64);
  const Tensor k = reshape(tensor({0, 0, std::log(3), std::log(3)}, DType::f64), {1, 2, 2, 1});
  const Tensor sink = tensor({std::log(4), 0}, DType::f64);
  const Tensor p = nn::attention_probabilities(q, k, {.sink = sink});
  CHECK(difference(p, reshape(tensor({1.0 / 8, 3.0 / 8, 1.0 / 5, 3.0 / 5}, DType::f64), {1, 2, 1, 2}), 1e-15) == "");
}

TEST_CASE("attn-sink: -∞ is no sink; scores far below it attend to nothing, and a query that sees no key gives zeros") {
  const Tensors x = inputs(3, 3, 2, 2);
  const auto attend = [&](double s, const nn::ScaledDotOptions& given = {}) {
    nn::ScaledDotOptions options = given;
    options.sink = full({2}, s, DType::f64);
    return nn::attention(x[0], x[1], x[2], options);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    CHECK(difference(attend(-infinity), nn::attention(x[0], x[1], x[2]), 1e-15) == "");
    CHECK(max_difference(attend(800), zeros_like(x[2])) == 0);
  }
  CHECK(equal(attend(0, {.mask = zeros({3, 3}, DType::i64)}), zeros_like(x[2])));
}

TEST_CASE("attn-sink: bits do not depend on the number of threads") {
  Tensors x;
  for (const Tensor& given : inputs(150, 150, 4, 2)) x.push_back(cast(given, DType::f32).set_requires_grad());
  const auto f = [&] { return value_and_gradients([&] { return fast_sink({.causal = true})(x); }, x); };
  CHECK(thread_dependence("attention with a sink", f) == "");
}

TEST_CASE("attn-sink: errors") {
  const Tensor x = zeros({1, 3, 2, 4});
  CHECK_THROWS_WITH_AS(nn::attention(x, x, x, {.sink = zeros({3})}),
                       "attention: the sink has one score for each of 2 heads, so shape [2], got [3]"
                       "; the layout here is [B, T, H, d]: if the heads came first, [B, H, T, d], use transpose(x, 1, 2)",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::attention(x, x, x, {.sink = zeros({2}, DType::f64)}),
                       "attention: q is f32, but sink is f64; use cast(q, DType::f64) first", DTypeError);
}
