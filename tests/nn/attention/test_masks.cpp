// Masks, caps and shared heads: what the options of attention do.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/attention/attention.h"
#include "tests/nn/attention/attend.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// May query i of T see key j of S in sample b, head h? In plain words, of one option after the other.
bool sees(const nn::ScaledDotOptions& o, const Shape& scores, int64_t b, int64_t h, int64_t i, int64_t j) {
  const int64_t own = i + scores[3] - scores[2];  // its place among the keys
  if (o.causal && j > own) return false;
  if (o.window > 0 && std::abs(j - own) >= o.window) return false;
  return !o.mask.defined() || expand(o.mask, scores).at({b, h, i, j}) == 1;
}

// The definition, number by number: of query i of sample b and head h, from q [B, T, H, d], k and v [B, S, G, d].
Values row_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions& o, int64_t b, int64_t i, int64_t h) {
  const Shape scores{q.size(0), q.size(2), q.size(1), k.size(1)};
  const int64_t width = q.size(3), group = h / (q.size(2) / k.size(2));
  const double scale = o.scale != 0 ? o.scale : 1 / std::sqrt(static_cast<double>(width));
  double total = 0;
  Values y(static_cast<std::size_t>(width), 0.0);
  for (int64_t j = 0; j < scores[3]; ++j) {
    if (!sees(o, scores, b, h, i, j)) continue;
    double score = 0;
    for (int64_t c = 0; c < width; ++c) score += scale * q.at({b, i, h, c}) * k.at({b, j, group, c});
    if (o.softcap > 0) score = o.softcap * std::tanh(score / o.softcap);
    if (o.bias.defined()) score += expand(o.bias, scores).at({b, h, i, j});
    total += std::exp(score);
    for (std::size_t c = 0; c < y.size(); ++c) y[c] += std::exp(score) * v.at({b, j, group, static_cast<int64_t>(c)});
  }
  for (double& value : y) value = total > 0 ? value / total : 0;
  return y;
}

Tensor by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions& options) {
  Values y;
  for (int64_t b = 0; b < q.size(0); ++b) {
    for (int64_t i = 0; i < q.size(1); ++i) {
      for (int64_t h = 0; h < q.size(2); ++h) {
        const Values row = row_by_hand(q, k, v, options, b, i, h);
        y.insert(y.end(), row.begin(), row.end());
      }
    }
  }
  return from_vector(y, q.shape());
}

void check_values(const nn::ScaledDotOptions& options, const Tensors& in) {
  CHECK(difference(nn::attention(in[0], in[1], in[2], options), by_hand(in[0], in[1], in[2], options), 1e-14) == "");
}

void check_derivatives(const nn::ScaledDotOptions& options, const Tensors& inputs) {
  check_values(options, inputs);
  const TensorFunction fast = [=](const Tensors& in) { return nn::attention(in[0], in[1], in[2], options); };
  const TensorFunction formula = [=](const Tensors& in) { return nn::formula::attention(in[0], in[1], in[2], options); };
  CHECK(check_fused("attention", fast, formula, inputs) == "");
}

Tensors few() { return {draw({1, 3, 2, 2}, 1), draw({1, 3, 2, 2}, 2), draw({1, 3, 2, 2}, 3)}; }

}  // namespace

TEST_CASE("attn-causal-mask: as a boolean mask, as an additive mask and as an option it is the same") {
  const Inputs x;
  const Tensor visible = mask_of(5, [](int64_t i, int64_t j) { return j <= i; });
  const Tensor additive = masked_fill(zeros({5, 5}, DType::f64), logical_not(visible), -kInfinity);
  const Tensor expected = attend(x, {.causal = true});
  CHECK(difference(attend(x, {.causal = false, .mask = visible}), expected, 1e-14) == "");
  CHECK(difference(attend(x, {.causal = false, .bias = additive}), expected, 1e-14) == "");
  CHECK(difference(attend(x, {.causal = true, .mask = visible, .bias = additive}), expected, 1e-14) == "");
}

TEST_CASE("attn-causal-mask: padded keys might hold anything") {
  const Inputs x;
  const Tensor mask = nn::padding_mask(tensor({5, 3}, DType::i64), 5);
  CHECK(equal(mask, reshape(tensor({{1, 1, 1, 1, 1}, {1, 1, 1, 0, 0}}, DType::i64), {2, 1, 1, 5})));
  Inputs other = x;
  const Tensor noise = masked_fill(zeros({2, 5, 1, 1}, DType::f64), reshape(logical_not(mask), {2, 5, 1, 1}), 100);
  other.k = x.k + noise;
  other.v = x.v + noise;
  const nn::ScaledDotOptions options{.causal = false, .mask = mask};
  CHECK(equal(attend(other, options), attend(x, options)));
  const Inputs alone{slice(x.q, 0, 1), slice(slice(x.k, 0, 1), 1, 0, 3), slice(slice(x.v, 0, 1), 1, 0, 3)};
  CHECK(difference(slice(attend(x, options), 0, 1), attend(alone, {.causal = false}), 1e-14) == "");
}

TEST_CASE("attn-causal-mask: a query that sees nothing gives zeros and zero gradients, not NaN") {
  const Tensor blind = mask_of(5, [](int64_t i, int64_t) { return i != 2; });
  const Tensor additive = masked_fill(zeros({5, 5}, DType::f64), logical_not(blind), -kInfinity);
  for (const nn::ScaledDotOptions& options :
       {nn::ScaledDotOptions{.causal = true, .mask = blind}, nn::ScaledDotOptions{.causal = true, .bias = additive},
        nn::ScaledDotOptions{.causal = false, .mask = blind}}) {
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      Inputs x;
      for (Tensor* leaf : {&x.q, &x.k, &x.v}) leaf->set_requires_grad();
      const Tensor y = attend(x, options);
      CHECK(equal(select(y.detach(), 1, 2), zeros({2, 2, 3}, DType::f64)));
      CHECK(sum(isfinite(y)).item() == static_cast<double>(y.numel()));
      for (const Tensor& gradient : grad({y}, {x.q, x.k, x.v}, {.seeds = {draw(y.shape(), 4)}})) {
        CHECK(sum(isfinite(gradient)).item() == static_cast<double>(gradient.numel()));
      }
    }
  }
  const Tensor nothing = zeros({5, 5}, DType::i64);
  CHECK(equal(attend({}, {.causal = true, .mask = nothing}), zeros({2, 5, 2, 3}, DType::f64)));
}

TEST_CASE("attn-causal-mask: a bias of one number, -∞, hides all keys: the result is zeros") {
  const Inputs x;
  for (const Shape& one : {Shape{}, Shape{1}, Shape{1, 1, 1, 1}}) {
    CHECK(equal(attend(x, {.causal = false, .bias = full(one, -kInfinity, DType::f64)}), zeros({2, 5, 2, 3}, DType::f64)));
  }
}

TEST_CASE("attn-scaled-dot: with every option it is its definition, number by number, and its derivatives are differences'") {
  const Tensor mask = mask_of(3, [](int64_t i, int64_t j) { return i == j || i == 1; });
  check_derivatives({.causal = true, .mask = mask}, few());
  check_derivatives({.causal = false, .window = 2}, few());
  check_derivatives({.causal = true, .softcap = 1.5}, few());
  check_derivatives({.causal = false, .scale = 0.3}, few());
  check_derivatives({.causal = false, .mask = tensor({{0, 0, 0}, {1, 1, 1}, {0, 1, 0}}, DType::i64)}, few());
}

TEST_CASE("attn-scaled-dot: the bias gets its gradient, where it broadcasts too") {
  const TensorFunction f = [](const Tensors& in) { return nn::attention(in[0], in[1], in[2], {.causal = true, .bias = in[3]}); };
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 1, 1}, Shape{1, 2, 3, 3}}) {
    Tensors inputs = few();
    inputs.push_back(draw(shape, 9));
    check_values({.causal = true, .bias = inputs[3]}, inputs);
    check_values(
        {.window = 2, .mask = mask_of(3, [](int64_t i, int64_t) { return i != 1; }), .bias = inputs[3], .scale = 0.7, .softcap = 0.9},
        inputs);
    const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
    CHECK_MESSAGE(first.passed, first.text);
    CHECK_MESSAGE(second.passed, second.text);
  }
}

TEST_CASE("attn-softcap: c tanh(s / c), before the bias and before the mask, by hand") {
  const Values scores{-3, 0.5, 1.5, 40}, bias{6, -2, 0.25, -7};
  const Tensor q = ones({1, 1, 1, 1}, DType::f64), k = from_vector(scores, {1, 4, 1, 1});
  for (const double cap : {0.5, 2.0, 30.0}) {
    for (const std::size_t hidden : {0, 1, 2, 3}) {
      Tensor mask = ones({4}, DType::i64), additive = zeros({4}, DType::f64);
      mask = mask - eq(arange(4), static_cast<double>(hidden));
      additive = masked_fill(additive, logical_not(mask), -kInfinity);
      double total = 0;
      Values expected;
      for (std::size_t j = 0; j < 4; ++j) {
        expected.push_back(j == hidden ? 0 : std::exp(cap * std::tanh(scores[j] / cap) + bias[j]));
        total += expected[j];
      }
      for (double& p : expected) p /= total;
      const Tensor wanted = from_vector(expected, {1, 1, 1, 4}), added = from_vector(bias, {4});
      for (const nn::ScaledDotOptions& options : {nn::ScaledDotOptions{.mask = mask, .bias = added, .scale = 1, .softcap = cap},
                                                  nn::ScaledDotOptions{.bias = added + additive, .scale = 1, .softcap = cap}}) {
        CHECK(difference(nn::attention_probabilities(q, k, options), wanted, 1e-15) == "");
      }
    }
  }
}

TEST_CASE("attn-softcap: no score passes the cap, and small scores are as they were") {
  const Inputs x;
  const Tensor p = nn::attention_probabilities(x.q * 1e3, x.k, {.causal = false, .softcap = 2});
  CHECK(max(p).item() <= std::exp(2) / (std::exp(2) + 4 * std::exp(-2)) + 1e-15);
  CHECK(difference(attend(x, {.causal = true, .softcap = 1e6}), attend(x, {.causal = true}), 1e-9) == "");
}

TEST_CASE("attn-gqa, attn-mqa: heads of keys and values that serve several queries, or all of them, are as repeated ones") {
  const Tensor q = draw({2, 5, 4, 3}, 1);
  for (const int64_t groups : {1, 2, 4}) {
    const Tensor k = draw({2, 5, groups, 3}, 2), v = draw({2, 5, groups, 3}, 3);
    Tensors each_k, each_v;
    for (int64_t h = 0; h < 4; ++h) {
      each_k.push_back(select(k, 2, h * groups / 4));
      each_v.push_back(select(v, 2, h * groups / 4));
    }
    for (const int64_t window : {0, 3}) {
      const nn::ScaledDotOptions options{.causal = true, .window = window};
      CHECK(difference(nn::attention(q, k, v, options), nn::attention(q, stack(each_k, 2), stack(each_v, 2), options), 1e-14) == "");
    }
  }
  check_derivatives({.causal = true}, {draw({1, 3, 2, 2}, 1), draw({1, 3, 1, 2}, 2), draw({1, 3, 1, 2}, 3)});
  check_derivatives({.causal = false}, {draw({1, 2, 4, 2}, 1), draw({1, 3, 2, 2}, 2), draw({1, 3, 2, 2}, 3)});
}

TEST_CASE("attn-gqa: of G heads each is repeated H/G times, side by side, whatever their width") {
  for (const int64_t width : {2, 3, 4}) {
    const Tensor x = draw({1, 3, 2, width});
    CHECK(equal(nn::repeat_heads(x, 4), index_select(x, 2, tensor({0, 0, 1, 1}, DType::i64))));
  }
}

TEST_CASE("regular-dropout: attention drops probabilities and keeps their mean") {
  manual_seed(3);
  const Tensor q = zeros({1, 1, 1, 2}), v = ones({1, 2000, 1, 2});
  const double y = nn::attention(q, zeros({1, 2000, 1, 2}), v, {.causal = false, .dropout = 0.4}).at({0, 0, 0, 0});
  CHECK(std::abs(y - 1) < 5 * std::sqrt(0.4 / 0.6 / 2000));  // five standard deviations
  CHECK(y != 1);
}

TEST_CASE("attention: errors of its options") {
  const Inputs x;
  for (const double scale : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
    CHECK_THROWS_WITH_AS(attend(x, {.scale = scale}), fmt::format("attention: the scale must be finite, got {}", scale).c_str(),
                         ValueError);
  }
  CHECK_THROWS_WITH_AS(attend(x, {.causal = true, .mask = zeros({4, 5}, DType::i64)}),
                       "attention: a mask or bias of shape [4, 5] does not broadcast to the scores' [B, H, T, S] = [2, 2, 5, 5]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(attend(x, {.causal = true, .bias = zeros({3, 1, 1}, DType::f64)}),
                       "attention: a mask or bias of shape [3, 1, 1] does not broadcast to the scores' [B, H, T, S] = [2, 2, 5, 5]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(attend(x, {.causal = true, .mask = zeros({5, 5}, DType::f64)}),
                       "attention: a mask holds zeros and ones as i64 (1: visible); give what is added to the scores as bias", DTypeError);
  CHECK_THROWS_WITH_AS(attend(x, {.causal = true, .window = -1}), "attention: the window must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(
      nn::attention(x.q, draw({2, 5, 3, 3}), draw({2, 5, 3, 3})),
      "attention: expected q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e] with G dividing H, got [2, 5, 2, 3], "
      "[2, 5, 3, 3], [2, 5, 3, 3]; the layout here is [B, T, H, d]: if the heads came first, [B, H, T, d], use transpose(x, 1, 2)",
      ShapeError);
  CHECK_THROWS_WITH_AS(nn::padding_mask(zeros({2, 1}, DType::i64), 5), "padding_mask: expected lengths [B], got [2, 1]", ShapeError);
}
