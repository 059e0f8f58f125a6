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
  rows += {
      REFUSED(value, FeedForward(act::relu, {.d_model = 4, .d_ff = 6, .bias = FeedForwardBias::gate}),
              "FeedForward: there is no gate to have a bias"),
      REFUSED(value, GatedFeedForward({nullptr, act::silu}, {.d_model = 4, .d_ff = 6}), "GatedFeedForward: the unit's name is nullptr"),
      REFUSED(value, feed_forward_width("swigl", 4), "did you mean 'swiglu'?"),
  };
  return rows;
}

}  // namespace gradus::test
