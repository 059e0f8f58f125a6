// The feed-forward layer of a block: every position by itself, through a wider hidden layer and back.
#pragma once

#include <functional>
#include <optional>

#include "nn/activation/activation.h"
#include "nn/dropout.h"
#include "nn/feed_forward/router.h"
#include "nn/linear.h"

namespace gradus::nn {

// Which of the linear maps have a bias.
enum class FeedForwardBias {
  literature,  // as published: all of a layer without a gate, none of one with a gate, except GLU: its gate's
  none,
  gate,  // W₁ of a gated layer alone
  all,
};

struct FeedForwardOptions {
  int64_t d_model;
  int64_t d_ff;
  double dropout = 0;  // after W₂
  FeedForwardBias bias = FeedForwardBias::literature;
  std::function<LayerPtr(int64_t width)> inner_norm = {};  // over the hidden values, before W₂ (Shleifer et al., 2021)
  std::function<LayerPtr()> activation = {};               // replaces f in a layer without a gate (ValueError with one)
  ExpertsOptions experts = {};                             // of MixtureOfExperts
  std::optional<double> swish_beta = {};                   // β of a Swish at the gate; none: 1. Other layers ignore it
  bool row_gains = false;                                  // of a layer with a gate: trains a gain for each row of W₁ and W₃
};

// --- for the classes of feed-forward layers --------------------------------------------------------------------
// Returns the options. ValueError, beginning with `type`, unless their sizes are positive.
const FeedForwardOptions& checked(const FeedForwardOptions& options, OpName op = {});
// The inner norm that they ask for; nullptr if none. ValueError, beginning with `type`, if inner_norm makes nothing.
LayerPtr make_inner_norm(const FeedForwardOptions& options, OpName op = {});
// ---------------------------------------------------------------------------------------------------------------

// The usual hidden width for d = `d_model`: 4d, or 8d/3 with a gate, so that both layers have as many parameters:
// 3·d·(8d/3) = 2·d·4d. Floored, then rounded up to a multiple of `multiple_of`: 4096 with a gate gives 10922, in multiples of
// 256 11008. ValueError unless both are positive and at most 2⁴⁰.
int64_t feed_forward_width(int64_t d_model, bool gated, int64_t multiple_of = 64);

namespace formula {
// W₂ f(W₁ x + b₁) + b₂, and with a gate W₂ (f(W₁ x + b₁) ⊙ W₃ x). x [..., d_model]; W₁, W₃ [d_ff, d_model], W₂ [d_model, d_ff];
// a bias may be undefined. The bilinear layer's f is act::identity.
Tensor feed_forward(const Activation& f, const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2);
Tensor gated_feed_forward(const Activation& f, const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& w3);
}  // namespace formula

// The layer without a gate (Vaswani et al., 2017, with ReLU; So et al., 2021, with its square):
//   y = W₂ f(W₁ x + b₁) + b₂
// x [..., d_model] (ShapeError); W₁ [d_ff, d_model], W₂ [d_model, d_ff]. Map is Linear, or one whose weight is normalised.
template <typename Map> class UngatedFeedForward : public Layer {
 public:
  // ValueError unless the sizes are positive, for a bias at a gate, and for an activation or inner norm that is nullptr.
  UngatedFeedForward(const Activation& f, const FeedForwardOptions& options)
      : UngatedFeedForward(std::make_unique<ActivationLayer>(f), options) {}
  UngatedFeedForward(LayerPtr activation, const FeedForwardOptions& o)
      : w1(checked(o, "FeedForward").d_model, o.d_ff, {.bias = o.bias != FeedForwardBias::none}),
        w2(o.d_ff, o.d_model, {.bias = o.bias != FeedForwardBias::none, .role = Role::writes_stream}),
        dropout(o.dropout),
        inner_norm_(make_inner_norm(o, "FeedForward")),
        activation_(std::move(activation)) {
    check<ValueError>(o.bias != FeedForwardBias::gate, "FeedForward: there is no gate to have a bias; use none or all");
    check<ValueError>(activation_ != nullptr, "FeedForward: the activation is nullptr");
  }

  void members(Members& m) override {
    m.child("w1", w1);
    m.child("activation", *activation_);
    if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
    m.child("w2", w2);
    m.child("dropout", dropout);
  }
  std::string describe() const override { return fmt::format("FeedForward({})", activation_->describe()); }

  Map w1, w2;
  Dropout dropout;

 private:
  Tensor forward(const Tensor& x) override {
    const Tensor hidden = (*activation_)(w1(x));
    return dropout(w2(inner_norm_ != nullptr ? (*inner_norm_)(hidden) : hidden));
  }

  LayerPtr inner_norm_;  // null without
  LayerPtr activation_;
};

// The usual layer without a gate.
using FeedForward = UngatedFeedForward<Linear>;

// A gated layer's name, its f, which biases it was published with, and what is done with the value.
struct GatedUnit {
  const char* name;
  Activation activation;
  FeedForwardBias bias = FeedForwardBias::none;
  Activation value = act::identity;  // v of y = W₂ (f(W₁ x) ⊙ v(W₃ x))
  bool trains_beta = false;          // f is Swish, whose β is trained from the options' `swish_beta`; `activation` is not used
};

// The layer with a gate (Dauphin et al., 2017; Shazeer, 2020):
//   y = W₂ (f(W₁ x) ⊙ W₃ x)
// x [..., d_model] (ShapeError); W₁, W₃ [d_ff, d_model], W₂ [d_model, d_ff]; biases as FeedForwardBias says.
// With f = Swish_β, a β ≠ 0 is no more than another W₁ and W₂: Swish_β(W₁ x) = Swish₁(βW₁ x) / β.
class GatedFeedForward : public Layer {
 public:
  // ValueError unless the sizes are positive, for an activation, since the unit has its own, and for a null inner norm.
  GatedFeedForward(const GatedUnit& unit, const FeedForwardOptions& options);

  void members(Members& m) override;
  std::string describe() const override { return unit_.name; }

  Linear w1, w2, w3;
  Parameter beta;                   // β of a trained Swish, []; undefined without
  Parameter gate_gain, value_gain;  // s₁ and s₃ of f(s₁ ⊙ W₁ x) ⊙ (s₃ ⊙ W₃ x), [d_ff], start at 1; undefined without row_gains
  Dropout dropout;

 private:
  Tensor forward(const Tensor& x) override;

  LayerPtr inner_norm_;  // null without
  GatedUnit unit_;
};

// Gated units with both sides bounded, so that no product of the two can grow without end.
// convention-swiglu-clamp: two forms, of a limit L; with c(u) = min(max(-L, u), L):
//   clamped_swiglu  f(a) = SiLU(min(a, L))          v(u) = c(u)          DeepSeek-V4 and GLM-5.3, L = 10
//   swiglu_oai      f(a) = quick GELU(min(a, L))    v(u) = c(u) + 1      gpt-oss, L = 7, with all biases
// In y = W₂ (f(W₁ x) ⊙ v(W₃ x)) the gate is clamped from above alone. Beyond a limit the slope is 0; at it, it is 1 for v and f'(L)
// for f. gpt-oss has W₁ and W₃ in one matrix, whose rows are theirs by turns; the others have one after the other.
// ValueError unless L is finite and positive.
GatedUnit clamped_swiglu(double limit = 10);
GatedUnit swiglu_oai(double limit = 7);

// SiTU, the sigmoid-tanh unit of Kimi K3 (Moonshot AI, 2026): SwiGLU whose both factors are capped smoothly.
//   f(a) = β tanh(a/β) σ(a)      v(u) = β' tanh(u/β')
// β = `limit` and β' = `value_limit`. As both grow it comes to SwiGLU. ValueError unless both are finite and positive.
GatedUnit situ(double limit = 4, double value_limit = 25);

}  // namespace gradus::nn
