#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls feed_forward_calls() {
  BadCalls rows;
  for (const auto& variant : feed_forwards().variants) {
    const std::string row(variant.name), described = variant.value({.d_model = 4, .d_ff = 6})->describe();
    const std::string who = variant.value.traits.gated ? described : "FeedForward";
    const auto make = [row](const FeedForwardOptions& o) { return feed_forwards().find(row).value(o); };
    const auto apply = [make](const Tensor& x) { (*make({.d_model = 4, .d_ff = 6}))(x); };
    rows += of(row, {
                        REFUSED(graph, apply({}), described + ": forward: x is undefined"),
                        REFUSED(shape, apply(f32({2, 5})), "expected [..., 4], got [2, 5]"),
                        REFUSED(shape, apply(f32({})), "expected [..., 4], got []"),
                        REFUSED(dtype, apply(f64({2, 4})), "x is f64, but weight is f32; use cast(x, DType::f32)"),
                        REFUSED(dtype, apply(i64({2, 4})), "needs a floating dtype, got i64"),
                    });
    const auto no_layer = [](auto...) { return LayerPtr(); };
    const std::string no_activation = who == "FeedForward" ? "the activation is nullptr" : "a gated layer has no activation but its gate's";
    rows += of(row, by(who, {
                                REFUSED(value, make({.d_model = 4, .d_ff = 6, .inner_norm = no_layer}), "inner_norm made nothing"),
                                REFUSED(value, make({.d_model = 4, .d_ff = 6, .activation = no_layer}), no_activation),
                            }));
    rows += of(row, REFUSED_EACH(make({.d_model = bad, .d_ff = 6}), who + ": d_model must be positive", 0, -4));
    rows += of(row, REFUSED_EACH(make({.d_model = 4, .d_ff = bad}), who + ": d_ff must be positive", 0, -6));
    rows += of(row, REFUSED_EACH(make({.d_model = 4, .d_ff = 6, .dropout = bad}), "Dropout: p must be in [0, 1)", kNaN, -0.1, 1));
  }
  rows += REFUSED_EACH(feed_forward_width(bad, false), "feed_forward_width: d_model must be positive", 0, -1, INT64_MIN);
  rows += REFUSED_EACH(feed_forward_width(bad, true), "feed_forward_width: d_model must be at most 2⁴⁰", INT64_MAX, INT64_MAX / 8);
  rows += REFUSED_EACH(feed_forward_width(bad, false), "feed_forward_width: d_model must be at most 2⁴⁰", INT64_MAX);
  rows += REFUSED_EACH(feed_forward_width(4, true, bad), "feed_forward_width: multiple_of must be positive", 0, -64);
  rows += REFUSED_EACH(feed_forward_width("swiglu", 4, bad), "feed_forward_width: multiple_of must be at most 2⁴⁰", INT64_MAX);
  const auto with_beta = [](const char* row, double beta) {
    feed_forwards().find(row).value({.d_model = 4, .d_ff = 6, .swish_beta = beta});
  };
  rows += REFUSED_EACH(with_beta("swiglu", bad), "swish: beta", kNotFinite);
  rows += REFUSED_EACH(with_beta("swiglu-beta", bad), "SwiGLU(learned): swish_beta", kNotFinite);
  rows += REFUSED_EACH(clamped_swiglu(bad), "clamped_silu: the limit", kNotPositive);
  rows += REFUSED_EACH(swiglu_oai(bad), "clamped_quick_gelu: the limit", kNotPositive);
  rows += REFUSED_EACH(situ(bad), "situ: the limit", kNotPositive);
  rows += REFUSED_EACH(act::clamped_value(bad), "clamped_value: the limit", kNotPositive);
  rows += REFUSED_EACH(act::clamped_value_plus_one(bad), "clamped_value_plus_one: the limit", kNotPositive);
  rows += REFUSED_EACH(situ(4, bad), "softcap: the limit", kNotPositive);
  rows += {
      REFUSED(graph, swish_gate(f32({2}), f32({2}), {}), "swish_gate: beta is undefined"),
      REFUSED(shape, swish_gate(f32({2}), f32({3}), f32({})), "swish_gate: shapes differ: [2] and [3]"),
      REFUSED(shape, swish_gate(f32({2}), f32({2}), f32({1})), "learned_swish: beta must have shape [], got [1]"),
      REFUSED(value, FeedForward(act::relu, {.d_model = 4, .d_ff = 6, .bias = FeedForwardBias::gate}),
              "FeedForward: there is no gate to have a bias"),
      REFUSED(value, GatedFeedForward({nullptr, act::silu}, {.d_model = 4, .d_ff = 6}), "GatedFeedForward: the unit's name is nullptr"),
      REFUSED(value, feed_forward_width("swigl", 4), "did you mean 'swiglu'?"),
  };
  return rows;
}

}  // namespace gradus::test
