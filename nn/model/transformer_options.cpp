#include "nn/model/transformer_options.h"

#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "nn/model/compatibility.h"

namespace gradus::nn {

TransformerOptions original_transformer() {
  return {.norm = "layer", .placement = "post", .position = "sinusoidal", .feed_forward = "relu", .bias = true};
}

namespace {

// The same choice of a norm, made with the ε and the gain that the model is to have.
template <typename Norm> Norm with_options(const Norm& norm, const TransformerOptions& o) {
  Norm made = norm;
  made.value = typename Norm::Value(
      [make = norm.value, eps = o.norm_eps, one_plus_gain = o.one_plus_gain](typename Norm::Options options) {
        if (eps) options.eps = eps;
        options.one_plus_gain = one_plus_gain;
        return make(options);
      },
      norm.value.traits);
  return made;
}

}  // namespace

TransformerOptions checked(TransformerOptions o, StackKind kind, OpName op) {
  for (const auto& [name, value] :
       {std::pair{"vocabulary", o.vocabulary}, {"context", o.context}, {"d_model", o.d_model}, {"layers", o.layers}}) {
    check_size(name, value, op);
  }
  check<ValueError>(o.heads > 0, "{}: heads must be positive, got {}", op, o.heads);
  check_stack({.layers = o.layers, .kind = kind}, op);
  check<ValueError>(o.classes >= 0, "{}: classes must not be negative, got {}", op, o.classes);
  check<ValueError>(o.d_ff >= 0, "{}: d_ff must not be negative, got {}", op, o.d_ff);
  check_range("embedding_scale", o.embedding_scale, range::finite, op);
  check<ValueError>(o.stochastic_depth >= 0 && o.stochastic_depth < 1, "{}: stochastic_depth must be in [0, 1), got {}", op,
                    o.stochastic_depth);
  head_dim(o.d_model, o.heads, op);
  if (o.d_ff == 0) o.d_ff = feed_forward_width(o.feed_forward, o.d_model);
  const std::string reason = why_not(o, kind);
  check<ValueError>(reason.empty(), "{}: {}", op, reason);
  if (o.norm_eps || o.one_plus_gain) {
    o.norm = with_options(o.norm, o);
    if (o.qk_norm) o.qk_norm = with_options(*o.qk_norm, o);
  }
  return o;
}

namespace {

bool acts_on_embedding(PositionEncoding& position, int64_t d_model) {
  const NoGrad off;
  const Tensor x = zeros({1, 1, d_model});
  return !position.on_embedding(x, arange(1)).same_as(x);
}

}  // namespace

StackPosition make_position(const TransformerOptions& o, StackKind kind) {
  const PositionOptions options{.d_model = o.d_model,
                                .heads = o.heads,
                                .head_dim = head_dim(o.d_model, o.heads, "make_position"),
                                .max_length = o.context,
                                .causal = kind == StackKind::decoder,
                                .theta = o.rope_theta,
                                .factor = o.rope_factor};
  const auto make = [choice = o.position, options] { return choice.make(options); };
  const PositionEncodingPtr first = make();
  if (o.share_position.value_or(!first->per_layer())) return {first};
  check<ValueError>(!acts_on_embedding(*first, o.d_model),
                    "position '{}' acts on the embedding, before all layers; it cannot be each layer's own: leave "
                    "share_position out",
                    o.position.name);
  return {first, make};
}

BlockOptions block_options(const TransformerOptions& o, const StackShape& shape) {
  return {.attention = {.d_model = o.d_model,
                        .heads = o.heads,
                        .kv_heads = o.kv_heads,
                        .bias = o.bias,
                        .causal = shape.kind == StackKind::decoder,
                        .window = o.window,
                        .softcap = o.softcap,
                        .scale = o.attention_scale,
                        .qk_norm = o.qk_norm,
                        .dropout = o.dropout,
                        .attention_dropout = o.attention_dropout,
                        .sink = o.sink,
                        .train_sink = o.train_sink,
                        .value_residual = o.value_residual},
          .feed_forward = {.d_model = o.d_model,
                           .d_ff = o.d_ff,
                           .dropout = o.dropout,
                           .bias = o.bias ? FeedForwardBias::all : FeedForwardBias::none,
                           .activation = o.activation ? [choice = *o.activation] { return choice.make({}); } : std::function<LayerPtr()>(),
                           .swish_beta = o.swish_beta},
          .stack = shape,
          .norm = o.norm,
          .placement = o.placement,
          .feed_forward_layer = o.feed_forward,
          .init = o.init,
          .stochastic_depth = o.stochastic_depth,
          .stochastic_depth_grows = o.stochastic_depth_grows};
}

}  // namespace gradus::nn
