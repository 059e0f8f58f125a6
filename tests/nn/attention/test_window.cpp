// Windows: how far each query of attention sees.
#include <cmath>
#include <tuple>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "tests/nn/attention/attend.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("attn-sliding-window: a query sees its own place and the window - 1 before, or on both sides") {
  const Inputs x;
  for (const int64_t window : {1, 2, 4, 5, 9}) {
    const Tensor causal = mask_of(5, [=](int64_t i, int64_t j) { return j <= i && i - j < window; });
    const Tensor both = mask_of(5, [=](int64_t i, int64_t j) { return std::abs(i - j) < window; });
    CHECK(difference(attend(x, {.causal = true, .window = window}), attend(x, {.causal = false, .mask = causal}), 1e-14) == "");
    CHECK(difference(attend(x, {.causal = false, .window = window}), attend(x, {.causal = false, .mask = both}), 1e-14) == "");
  }
  CHECK(difference(attend(x, {.causal = true, .window = 1}), x.v, 1e-14) == "");
}

TEST_CASE("attn-sliding-window: of more queries than keys the first see none, and get zeros") {
  for (const auto& [batch, heads] : {std::pair<int64_t, int64_t>{1, 1}, {3, 3}}) {
    const Inputs x{draw({batch, 3, heads, 2}, 1), draw({batch, 1, heads, 2}, 2), draw({batch, 1, heads, 2}, 3)};
    for (const int64_t window : {1, 2, 3, 4}) {  // the queries are at -2, -1 and 0, the key is at 0
      CAPTURE(window);
      const int64_t seeing = std::min<int64_t>(window, 3);
      const Tensor blind = zeros({batch, 3 - seeing, heads, 2}, DType::f64);
      CHECK(equal(attend(x, {.window = window}), cat({blind, expand(x.v, {batch, seeing, heads, 2})}, 1)));
    }
  }
}

TEST_CASE("attn-sliding-window: what one sample holds is nothing to another, be it NaN") {
  Tensors x{draw({2, 70, 1, 3}, 1), draw({2, 70, 1, 3}, 2), draw({2, 70, 1, 3}, 3)}, alone;
  for (Tensor& leaf : x) {
    alone.push_back(slice(leaf, 0, 0, 1).set_requires_grad());
    leaf = cat({alone.back().detach(), full({1, 70, 1, 3}, NAN, DType::f64)}, 0).set_requires_grad();
  }
  for (const bool causal : {true, false}) {
    const auto attend_to = [&](const Tensors& in) {
      const Tensor y = slice(nn::attention(in[0], in[1], in[2], {.causal = causal, .window = 8}), 0, 0, 1);
      Tensors results = grad({y}, in, {.seeds = {draw(y.shape(), 4)}});
      results.push_back(y.detach());
      return results;
    };
    const Tensors found = attend_to(x), expected = attend_to(alone);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(difference(slice(found[i], 0, 0, 1), expected[i], 1e-14) == "");
  }
}

// Tiles are of 32 queries: windows that begin and end within one, and that reach over several.
TEST_CASE("attn-sliding-window, attn-gqa: tiles of any size are the formula") {
  const FusedOptions no_differences{.differences = false};
  for (const bool causal : {true, false}) {
    for (const auto& [queries, keys, window] : {std::tuple{70, 70, 3}, {130, 137, 64}, {65, 140, 100}, {1, 9, 4}}) {
      const nn::ScaledDotOptions options{.causal = causal, .window = window};
      const Tensors inputs{draw({2, queries, 4, 3}, 1), draw({2, keys, 2, 3}, 2), draw({2, keys, 2, 3}, 3)};
      const TensorFunction fast = [=](const Tensors& in) { return nn::attention(in[0], in[1], in[2], options); };
      const TensorFunction formula = [=](const Tensors& in) { return nn::formula::attention(in[0], in[1], in[2], options); };
      CHECK(check_fused(fmt::format("attention, window {}", window), fast, formula, inputs, no_differences) == "");
    }
  }
}

TEST_CASE("attn-sliding-window: a window as wide as whole numbers go hides nothing, with a bias and without") {
  const Inputs x;
  const Tensor bias = draw({5, 5}, 4);
  for (const bool causal : {false, true}) {
    for (const int64_t window : {INT64_MAX, INT64_MAX - 1, int64_t{1} << 62, int64_t{1} << 53}) {
      CAPTURE(window);
      CHECK(equal(attend(x, {.causal = causal, .window = window}), attend(x, {.causal = causal})));
      CHECK(equal(attend(x, {.causal = causal, .window = window, .bias = bias}), attend(x, {.causal = causal, .bias = bias})));
      const FormulaOnly readable;
      CHECK(equal(attend(x, {.causal = causal, .window = window}), attend(x, {.causal = causal})));
    }
  }
}
