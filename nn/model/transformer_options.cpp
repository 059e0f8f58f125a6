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
  check<ValueError>(o.per_layer_width >= 0, "{}: per_layer_width must not be negative, got {}", op, o.per_layer_width);
  check_range("embedding_scale", o.embedding_scale, range::finite, op);
  check_range("logit_softcap", o.logit_softcap, range::not_negative, op);
  check<ValueError>(0 <= o.shared_kv_layers && o.shared_kv_layers < o.layers,
                    "{}: shared_kv_layers must be at least 0 and below the {} layers, got {}", op, o.layers, o.shared_kv_layers);
  check<ValueError>(o.stochastic_depth >= 0 && o.stochastic_depth < 1, "{}: stochastic_depth must be in [0, 1), got {}", op,
                    o.stochastic_depth);
  head_dim(o.d_model, o.heads, o.head_dim, op);
  check_experts(o.experts, op);
  if (o.d_ff == 0) o.d_ff = feed_forward_width(o.feed_forward, o.d_model);
  const std::string reason = why_not(o, kind);
  check<ValueError>(reason.empty(), "{}: {}", op, reason);
  o.experts.vocabulary = o.vocabulary;
  if (o.norm_eps || o.one_plus_gain) {
    o.norm = o.norm.map([&](const NormChoice& norm) { return with_options(norm, o); });
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

// The encoding of a layer, where each is to have its own or they are of several kinds.
PositionEncodingPtr encoding_of(const TransformerOptions& o, PositionOptions options, int64_t layer) {
  options.theta = o.rope_theta.of(layer);
  options.factor = o.rope_factor.of(layer);
  return o.position.of(layer).make(options);
}

// Do two layers have the same kind of encoding? Factories of one's own are the same where they are one run of the pattern.
bool same_position(const TransformerOptions& o, int64_t a, int64_t b) {
  const PositionChoice &one = o.position.of(a), &other = o.position.of(b);
  return (&one == &other || one == other) && o.rope_theta.of(a) == o.rope_theta.of(b) && o.rope_factor.of(a) == o.rope_factor.of(b);
}

}  // namespace

StackPosition make_position(const TransformerOptions& o, StackKind kind) {
  const PositionOptions options{.d_model = o.d_model,
                                .heads = o.heads,
                                .head_dim = head_dim(o.d_model, o.heads, o.head_dim, "make_position"),
                                .max_length = o.context,
                                .causal = kind == StackKind::decoder};
  std::vector<PositionEncodingPtr> of_layers{encoding_of(o, options, 0)};
  const auto is_shared = [&](const PositionEncodingPtr& encoding) { return o.share_position.value_or(!encoding->per_layer()); };
  const bool varies = o.position.varies() || o.rope_theta.varies() || o.rope_factor.varies();
  if (!varies && is_shared(of_layers[0])) return {of_layers[0]};
  for (int64_t i = 0; i < o.layers; ++i) {
    int64_t twin = 0;  // the first layer of the same kind
    while (!same_position(o, twin, i)) ++twin;
    if (i > 0) of_layers.push_back(twin < i && is_shared(of_layers[twin]) ? of_layers[twin] : encoding_of(o, options, i));
    check<ValueError>(!acts_on_embedding(*of_layers[i], o.d_model),
                      "position '{}' acts on the embedding, before all layers; it cannot be {}", o.position.of(i).name,
                      varies ? "that of some of them" : "each layer's own: leave share_position out");
  }
  return {of_layers[0], [of_layers](int64_t block) { return of_layers[static_cast<std::size_t>(block)]; }};
}

// #region block-shared-kv
int64_t kv_source(const TransformerOptions& o, int64_t layer) {
  const int64_t first = o.layers - o.shared_kv_layers;  // of those that share
  if (o.shared_kv_layers == 0 || layer < first) return layer;
  int64_t source = first - 1;
  while (source >= 0 && !(o.window.of(source) == o.window.of(layer) && same_position(o, source, layer))) --source;
  return source;
}
// #endregion block-shared-kv

BlockOptions block_options(const TransformerOptions& o, const StackShape& shape) {
  return {.attention = {.d_model = o.d_model,
                        .heads = o.heads,
                        .kv_heads = o.kv_heads,
                        .head_dim = o.head_dim,
                        .bias = o.bias,
                        .causal = shape.kind == StackKind::decoder,
                        .window = o.window.of(shape.index),
                        .softcap = o.softcap,
                        .scale = o.attention_scale,
                        .qk_norm = o.qk_norm,
                        .dropout = o.dropout,
                        .attention_dropout = o.attention_dropout,
                        .sink = o.sink,
                        .train_sink = o.train_sink,
                        .value_residual = o.value_residual,
                        .temperature_growth = o.temperature_growth.of(shape.index),
                        .temperature_length = o.temperature_length,
                        .shares_kv = kv_source(o, shape.index) != shape.index,
                        .residual_scores = o.residual_scores,
                        .value_embedding = o.value_embedding.of(shape.index) ? o.vocabulary : 0},
          .feed_forward = {.d_model = o.d_model,
                           .d_ff = o.d_ff,
                           .dropout = o.dropout,
                           .bias = o.bias ? FeedForwardBias::all : FeedForwardBias::none,
                           .activation = o.activation ? [choice = *o.activation] { return choice.make({}); } : std::function<LayerPtr()>(),
                           .experts = o.experts,
                           .swish_beta = o.swish_beta},
          .stack = shape,
          .kv_source = kv_source(o, shape.index),
          .norm = o.norm.of(shape.index),
          .placement = o.placement.of(shape.index),
          .feed_forward_layer = o.feed_forward.of(shape.index),
          .init = o.init,
          .stochastic_depth = o.stochastic_depth,
          .stochastic_depth_grows = o.stochastic_depth_grows,
          .per_layer_width = o.per_layer_width};
}

std::vector<BlockOptions> stack_options(const TransformerOptions& o, StackShape shape) {
  std::vector<BlockOptions> blocks;
  for (shape.index = 0; shape.index < shape.layers; ++shape.index) blocks.push_back(block_options(o, shape));
  return blocks;
}

}  // namespace gradus::nn
