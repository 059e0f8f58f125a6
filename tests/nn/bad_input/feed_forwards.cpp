#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// A row, whose name the errors of its sizes begin with, and whose linear maps look at x.
struct FeedForwardWords {
  const char *row, *who, *map;
  bool gated;
};
const std::vector<FeedForwardWords> kFeedForwardWords{
    {"relu", "FeedForward", "Linear", false},
    {"gelu", "FeedForward", "Linear", false},
    {"silu", "FeedForward", "Linear", false},
    {"relu2", "FeedForward", "Linear", false},
    {"relu-weight-norm", "FeedForward", "WeightNormLinear", false},
    {"relu-spectral-norm", "FeedForward", "SpectralNormLinear", false},
    {"glu", "GLU", "Linear", true},
    {"swiglu", "SwiGLU", "Linear", true},
    {"geglu", "GeGLU", "Linear", true},
    {"geglu-tanh", "GeGLU(tanh)", "Linear", true},
    {"reglu", "ReGLU", "Linear", true},
    {"bilinear", "Bilinear", "Linear", true},
};

}  // namespace

BadCalls feed_forward_calls() {
  BadCalls rows;
  for (const FeedForwardWords& words : kFeedForwardWords) {
    const std::string row = words.row, who = words.who, map = words.map;
    const auto make = [row](const nn::FeedForwardOptions& o) { return nn::feed_forwards().find(row).value(o); };
    const auto apply = [make](const Tensor& x) { (*make({.d_model = 4, .d_ff = 6}))(x); };
    rows += {
        {row + " of nothing", [=] { apply({}); }, Raises::graph, map + ": x is undefined"},
        {row + " of width 5", [=] { apply(f32({2, 5})); }, Raises::shape, map + ": expected [..., 4], got [2, 5]"},
        {row + " of a number", [=] { apply(f32({})); }, Raises::shape, map + ": expected [..., 4], got []"},
        {row + " of f64", [=] { apply(f64({2, 4})); }, Raises::dtype, map + ": x is f64, but weight is f32; use cast(x, DType::f32)"},
        {row + " of i64", [=] { apply(i64({2, 4})); }, Raises::dtype, map + ": needs a floating dtype, got i64"},
        {row + " with a norm that is not made",
         [=] { make({.d_model = 4, .d_ff = 6, .inner_norm = [](int64_t) { return nn::LayerPtr(); }}); }, Raises::value,
         who + ": inner_norm made nothing"},
        {row + " with an activation that is not made",
         [=] { make({.d_model = 4, .d_ff = 6, .activation = [] { return nn::LayerPtr(); }}); }, Raises::value,
         who + (words.gated ? ": a gated layer has no activation but its gate's" : ": the activation is nullptr")},
    };
    rows += bad_sizes(row + " of d_model", {0, -4}, who + ": d_model must be positive, got ",
                      [=](int64_t d_model) { make({.d_model = d_model, .d_ff = 6}); });
    rows += bad_sizes(row + " of d_ff", {0, -6}, who + ": d_ff must be positive, got ",
                      [=](int64_t d_ff) { make({.d_model = 4, .d_ff = d_ff}); });
    rows += bad_values(row + " with dropout", {kNaN, -0.1, 1}, "Dropout: p must be in [0, 1), got ",
                       [=](double p) { make({.d_model = 4, .d_ff = 6, .dropout = p}); });
  }
  rows += bad_sizes("feed_forward_width", {0, -1, INT64_MIN}, "feed_forward_width: d_model must be positive, got ",
                    [](int64_t d_model) { nn::feed_forward_width(d_model, false); });
  rows += bad_sizes("feed_forward_width", {INT64_MAX, INT64_MAX / 8}, "feed_forward_width: d_model must be at most 2⁴⁰, got ",
                    [](int64_t d_model) { nn::feed_forward_width(d_model, true); });
  rows += bad_sizes("feed_forward_width without a gate", {INT64_MAX}, "feed_forward_width: d_model must be at most 2⁴⁰, got ",
                    [](int64_t d_model) { nn::feed_forward_width(d_model, false); });
  rows += bad_sizes("feed_forward_width in multiples", {0, -64}, "feed_forward_width: multiple_of must be positive, got ",
                    [](int64_t multiple) { nn::feed_forward_width(4, true, multiple); });
  rows += bad_sizes("feed_forward_width in multiples", {INT64_MAX}, "feed_forward_width: multiple_of must be at most 2⁴⁰, got ",
                    [](int64_t multiple) { nn::feed_forward_width("swiglu", 4, multiple); });
  rows += {
      REFUSED(value, nn::FeedForward(nn::act::relu, {.d_model = 4, .d_ff = 6, .bias = nn::FeedForwardBias::gate}),
              "FeedForward: there is no gate to have a bias"),
      REFUSED(value, nn::GatedFeedForward({nullptr, nn::act::silu}, {.d_model = 4, .d_ff = 6}),
              "GatedFeedForward: the unit's name is nullptr"),
      REFUSED(value, nn::feed_forward_width("swigl", 4), "did you mean 'swiglu'?"),
  };
  return rows;
}

}  // namespace gradus::test
