#include "nn/feed_forward/feed_forward.h"

#include "core/options/range.h"
#include "nn/activation/bounded.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/gate.h"

namespace gradus::nn {
namespace {

FeedForwardBias resolved(FeedForwardBias wanted, FeedForwardBias in_literature) {
  return wanted == FeedForwardBias::literature ? in_literature : wanted;
}

const char* checked_name(const GatedUnit& unit) {
  check<ValueError>(unit.name != nullptr, "GatedFeedForward: the unit's name is nullptr");
  return unit.name;
}

LinearOptions everywhere(FeedForwardBias bias) { return {.bias = bias == FeedForwardBias::all}; }
LinearOptions at_gate(FeedForwardBias bias) { return {.bias = bias != FeedForwardBias::none}; }
LinearOptions at_end(FeedForwardBias bias) { return {.bias = bias == FeedForwardBias::all, .role = Role::writes_stream}; }

}  // namespace

const FeedForwardOptions& checked(const FeedForwardOptions& o, OpName op) {
  check_size("d_model", o.d_model, op);
  check_size("d_ff", o.d_ff, op);
  return o;
}

LayerPtr make_inner_norm(const FeedForwardOptions& o, OpName op) {
  if (!o.inner_norm) return nullptr;
  LayerPtr norm = o.inner_norm(o.d_ff);
  check<ValueError>(norm != nullptr, "{}: inner_norm made nothing", op);
  return norm;
}

// #region ffn-relu
// #region ffn-gelu
// #region ffn-silu
// #region ffn-relu2
// y = W₂ f(W₁ x + b₁) + b₂
Tensor formula::feed_forward(const Activation& f, const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  return linear(f(linear(x, w1, b1)), w2, b2);
}
// #endregion ffn-relu2
// #endregion ffn-silu
// #endregion ffn-gelu
// #endregion ffn-relu

// #region ffn-glu
// #region ffn-swiglu
// #region ffn-geglu
// #region ffn-reglu
// #region ffn-bilinear
// y = W₂ (f(W₁ x + b₁) ⊙ W₃ x), where GLU alone has b₁
Tensor formula::gated_feed_forward(const Activation& f, const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2,
                                   const Tensor& w3) {
  return linear(f(linear(x, w1, b1)) * linear(x, w3), w2);
}
// #endregion ffn-bilinear
// #endregion ffn-reglu
// #endregion ffn-geglu
// #endregion ffn-swiglu
// #endregion ffn-glu

int64_t feed_forward_width(int64_t d_model, bool gated, int64_t multiple_of) {
  check_size("d_model", d_model);
  check_size("multiple_of", multiple_of);
  // #region ffn-width
  const int64_t width = gated ? 8 * d_model / 3 : 4 * d_model;
  return (width + multiple_of - 1) / multiple_of * multiple_of;
  // #endregion ffn-width
}

GatedFeedForward::GatedFeedForward(const GatedUnit& unit, const FeedForwardOptions& o)
    : w1(checked(o, checked_name(unit)).d_model, o.d_ff, at_gate(resolved(o.bias, unit.bias))),
      w2(o.d_ff, o.d_model, at_end(resolved(o.bias, unit.bias))),
      w3(o.d_model, o.d_ff, everywhere(resolved(o.bias, unit.bias))),
      dropout(o.dropout),
      inner_norm_(make_inner_norm(o, unit.name)),
      unit_(unit) {
  check<ValueError>(!o.activation, "{}: a gated layer has no activation but its gate's", unit.name);
  if (unit.trains_beta) beta = full({}, check_range("swish_beta", o.swish_beta.value_or(1), range::finite, unit.name));
  if (o.row_gains) {
    gate_gain = ones({o.d_ff});
    value_gain = ones({o.d_ff});
  }
}

Tensor GatedFeedForward::forward(const Tensor& x) {
  const auto scaled = [](const Tensor& y, const Tensor& gain) { return gain.defined() ? y * gain : y; };
  const Tensor a = scaled(w1(x), gate_gain), value = unit_.value(scaled(w3(x), value_gain));
  const Tensor hidden = unit_.trains_beta ? swish_gate(a, value, beta) : gate(unit_.activation, a, value);
  return dropout(w2(inner_norm_ != nullptr ? (*inner_norm_)(hidden) : hidden));
}

void GatedFeedForward::members(Members& m) {
  m.child("w1", w1);
  m.child("w2", w2);
  m.child("w3", w3);
  m.parameter("beta", beta, Role::other);
  m.parameter("gate_gain", gate_gain, Role::gain);
  m.parameter("value_gain", value_gain, Role::gain);
  if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
  m.child("dropout", dropout);
}

GatedUnit clamped_swiglu(double limit) {
  return {.name = "SwiGLU(clamped)", .activation = act::clamped_silu(limit), .value = act::clamped_value(limit)};
}

GatedUnit swiglu_oai(double limit) {
  return {.name = "SwiGLU(OAI)",
          .activation = act::clamped_quick_gelu(limit),
          .bias = FeedForwardBias::all,
          .value = act::clamped_value_plus_one(limit)};
}

GatedUnit situ(double limit, double value_limit) {
  return {.name = "SiTU", .activation = act::situ(limit), .value = act::softcap(value_limit)};
}

}  // namespace gradus::nn
