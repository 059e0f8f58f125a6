#include "nn/feed_forward/feed_forward.h"

#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/swish.h"

namespace gradus::nn {
namespace {

FeedForwardBias resolved(FeedForwardBias wanted, FeedForwardBias in_literature) {
  return wanted == FeedForwardBias::literature ? in_literature : wanted;
}

LinearOptions everywhere(FeedForwardBias bias) { return {.bias = bias == FeedForwardBias::all}; }
LinearOptions at_gate(FeedForwardBias bias) { return {.bias = bias != FeedForwardBias::none}; }
LinearOptions at_end(FeedForwardBias bias) {
  return {.bias = bias == FeedForwardBias::all, .role = Role::writes_stream};
}

LayerPtr make_inner_norm(const FeedForwardOptions& o) { return o.inner_norm ? o.inner_norm(o.d_ff) : nullptr; }
Tensor normalized(const LayerPtr& norm, const Tensor& x) { return norm != nullptr ? (*norm)(x) : x; }

}  // namespace

// #region ffn-relu
Tensor formula::ffn_relu(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  return linear(gradus::relu(linear(x, w1, b1)), w2, b2);
}
// #endregion ffn-relu

// #region ffn-gelu
Tensor formula::ffn_gelu(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  return linear(gelu(linear(x, w1, b1)), w2, b2);
}
// #endregion ffn-gelu

// #region ffn-silu
Tensor formula::ffn_silu(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  return linear(silu(linear(x, w1, b1)), w2, b2);
}
// #endregion ffn-silu

// #region ffn-relu2
Tensor formula::ffn_relu2(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  return linear(relu2(linear(x, w1, b1)), w2, b2);
}
// #endregion ffn-relu2

// #region ffn-glu
Tensor formula::ffn_glu(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& w3) {
  return linear(gradus::sigmoid(linear(x, w1, b1)) * linear(x, w3), w2);
}
// #endregion ffn-glu

// #region ffn-swiglu
Tensor formula::ffn_swiglu(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  return linear(silu(linear(x, w1)) * linear(x, w3), w2);
}
// #endregion ffn-swiglu

// #region ffn-geglu
Tensor formula::ffn_geglu(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  return linear(gelu(linear(x, w1)) * linear(x, w3), w2);
}
// #endregion ffn-geglu

// #region ffn-reglu
Tensor formula::ffn_reglu(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  return linear(gradus::relu(linear(x, w1)) * linear(x, w3), w2);
}
// #endregion ffn-reglu

// #region ffn-bilinear
Tensor formula::ffn_bilinear(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  return linear(linear(x, w1) * linear(x, w3), w2);
}
// #endregion ffn-bilinear

int64_t feed_forward_width(int64_t d_model, bool gated, int64_t multiple_of) {
  check<ValueError>(d_model > 0, "feed_forward_width: d_model must be positive, got {}", d_model);
  check<ValueError>(multiple_of > 0, "feed_forward_width: multiple_of must be positive, got {}", multiple_of);
  // #region ffn-width
  const int64_t width = gated ? 8 * d_model / 3 : 4 * d_model;
  return (width + multiple_of - 1) / multiple_of * multiple_of;
  // #endregion ffn-width
}

FeedForward::FeedForward(LayerPtr activation, const FeedForwardOptions& o)
    : w1(o.d_model, o.d_ff, everywhere(resolved(o.bias, FeedForwardBias::all))),
      w2(o.d_ff, o.d_model, at_end(resolved(o.bias, FeedForwardBias::all))),
      dropout(o.dropout),
      inner_norm_(make_inner_norm(o)),
      activation_(std::move(activation)) {
  check<ValueError>(o.bias != FeedForwardBias::gate, "FeedForward: there is no gate to have a bias; use none or all");
}

Tensor FeedForward::forward(const Tensor& x) {
  return dropout(w2(normalized(inner_norm_, (*activation_)(w1(x)))));
}

void FeedForward::members(Members& m) {
  m.child("w1", w1);
  m.child("activation", *activation_);
  if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
  m.child("w2", w2);
  m.child("dropout", dropout);
}

GatedFeedForward::GatedFeedForward(const GatedUnit& unit, const FeedForwardOptions& o)
    : w1(o.d_model, o.d_ff, at_gate(resolved(o.bias, unit.bias))),
      w2(o.d_ff, o.d_model, at_end(resolved(o.bias, unit.bias))),
      w3(o.d_model, o.d_ff, everywhere(resolved(o.bias, unit.bias))),
      dropout(o.dropout),
      inner_norm_(make_inner_norm(o)),
      unit_(unit) {}

Tensor GatedFeedForward::forward(const Tensor& x) {
  return dropout(w2(normalized(inner_norm_, unit_.gate(w1(x), w3(x)))));
}

void GatedFeedForward::members(Members& m) {
  m.child("w1", w1);
  m.child("w2", w2);
  m.child("w3", w3);
  if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
  m.child("dropout", dropout);
}

}  // namespace gradus::nn
