#include "nn/model/compatibility.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace gradus::nn {
namespace {

// The width of the parts that are asked; a wrong size is refused where the model is made.
int64_t width_of(const TransformerOptions& o) { return std::max<int64_t>(o.d_model, 1); }

LayerPtr norm_of(const TransformerOptions& o, int64_t layer) { return o.norm.of(layer).make({.width = width_of(o)}); }

PlacementPtr placement_of(const TransformerOptions& o, int64_t layer) {
  return o.placement.of(layer).make({
      .make_norm = [&o, layer] { return norm_of(o, layer); },
      .d_model = width_of(o),
      .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
      .stack = {.layers = 1},
  });
}

std::string mixes_tokens(const char* what, const std::string& norm) {
  return fmt::format("{} '{}' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'", what, norm);
}

// The positions of the table that have this trait: "'rope-ntk' or 'yarn'".
std::string positions_with(bool PositionTraits::* trait) {
  std::vector<std::string> names;
  for (const auto& row : position_encodings().variants) {
    if (row.value.traits.*trait) names.push_back(fmt::format("'{}'", row.name));
  }
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// Is the option set somewhere, and does no layer have an encoding that reads it?
bool is_unread(const TransformerOptions& o, const PerLayer<std::optional<double>>& option, bool PositionTraits::* trait) {
  const auto& runs = option.runs();
  const auto& positions = o.position.runs();
  return std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.value.has_value(); }) &&
         std::none_of(positions.begin(), positions.end(), [&](const auto& run) { return run.value.value.traits.*trait; });
}

// Options of the whole model that do not go together.
std::string why_not_options(const TransformerOptions& o) {
  if (is_unread(o, o.rope_theta, &PositionTraits::theta)) {
    return fmt::format("position '{}' has no rope_theta; take 'rope'", o.position.of(0).name);
  }
  if (is_unread(o, o.rope_factor, &PositionTraits::factor)) {
    return fmt::format("position '{}' has no rope_factor; take {}", o.position.of(0).name, positions_with(&PositionTraits::factor));
  }
  const auto& layers = o.feed_forward.runs();
  const auto reads_experts = [](const auto& run) { return run.value.name == "moe" || run.value.name == "own"; };
  if (!(o.experts == ExpertsOptions{}) && std::none_of(layers.begin(), layers.end(), reads_experts)) {
    return fmt::format("feed_forward '{}' has no experts, and there are options of theirs; take feed_forward 'moe'", layers[0].value.name);
  }
  if (o.train_sink && !o.sink) return "train_sink trains a sink, and there is none; set sink, from where it starts";
  if (o.value_residual && o.layers == 1) {
    return "value_residual mixes the first layer's values into later ones, and there is one layer; take more layers";
  }
  if (o.residual_scores && o.layers == 1) {
    return "residual_scores add the scores of the layer below, and there is one layer; take more layers";
  }
  if (o.residual_scores && o.softcap > 0) {
    return "residual_scores are added up before a softcap, which would bound one layer's part; take softcap 0";
  }
  if (o.value_residual && o.shared_kv_layers > 0) {
    return "value_residual mixes into each layer's own values, and with shared_kv_layers the last layers have none";
  }
  for (int64_t layer = o.layers - o.shared_kv_layers; layer < o.layers; ++layer) {
    if (kv_source(o, layer) < 0) {
      return fmt::format("layer {} is to share keys and values, but no layer that has its own has its window and position", layer);
    }
    if (o.value_embedding.of(layer)) {
      return fmt::format("layer {} is to share keys and values, so that there are none for its value_embedding to be added to", layer);
    }
  }
  return "";
}

// Options that the part for which they are given does not have.
std::string why_not_parts(const TransformerOptions& o, int64_t layer) {
  const NormChoice& norm = o.norm.of(layer);
  const FeedForwardChoice& feed_forward = o.feed_forward.of(layer);
  const PlacementPtr placement = placement_of(o, layer);
  const std::string& placement_name = o.placement.of(layer).name;
  if (o.norm_eps && !norm.value.traits.eps) return fmt::format("norm '{}' has no eps; take it without norm_eps", norm.name);
  if (o.one_plus_gain && !norm.value.traits.one_plus_gain) {
    return fmt::format("norm '{}' has no one_plus_gain; take norm 'rms'", norm.name);
  }
  if (o.stochastic_depth > 0 && placement->normalizes_results()) {
    return fmt::format(
        "placement '{}' normalises what a sublayer gives before it is added, and would undo the 1/(1-p) of "
        "stochastic_depth; take placement 'pre'",
        placement_name);
  }
  if (o.classes > 0 && !placement->takes_condition()) {
    return fmt::format("placement '{}' takes no condition, so there is no use for classes; take placement 'adaptive'", placement_name);
  }
  if (o.placement.varies() && placement->keeps_more()) {
    return fmt::format("placement '{}' hands more than one stream to the next layer, so that all layers must have it", placement_name);
  }
  if (o.per_layer_width > 0 && placement->keeps_more()) {
    return fmt::format("placement '{}' keeps more than one stream, and per_layer_width adds to one; take placement 'pre'", placement_name);
  }
  if (o.shared_kv_layers > 0 && placement->reads_apart()) {
    return fmt::format("placement '{}' gives keys and values inputs of their own, and with shared_kv_layers the last layers have none",
                       placement_name);
  }
  if (o.swish_beta && !feed_forward.value.traits.swish_beta) {
    return fmt::format("feed_forward '{}' has no swish_beta; take 'swiglu' or 'swiglu-beta'", feed_forward.name);
  }
  if (o.activation && feed_forward.value.traits.gated) {
    return fmt::format("feed_forward '{}' has a gate, whose activation is its own; take feed_forward 'relu' with activation '{}'",
                       feed_forward.name, o.activation->name);
  }
  return "";
}

// Combinations of parts that make no sense in a layer.
std::string why_not_layer(const TransformerOptions& o, StackKind kind, int64_t layer) {
  if (std::string reason = why_not_parts(o, layer); !reason.empty()) return reason;
  if (kind == StackKind::decoder) {
    if (norm_of(o, layer)->mixes_tokens()) return mixes_tokens("norm", o.norm.of(layer).name);
    const QKNormOptions of_heads{.head_dim = width_of(o), .heads = std::max<int64_t>(o.heads, 1)};
    if (o.qk_norm && o.qk_norm->make(of_heads)->mixes_tokens()) return mixes_tokens("qk_norm", o.qk_norm->name);
  }
  if (placement_of(o, layer)->relies_on_rescaling() && !norm_of(o, layer)->removes_scale()) {
    return fmt::format(
        "placement '{}' multiplies the stream in every block, and norm '{}' does not take the scale "
        "out, so that it would grow exponentially with depth; take norm 'layer' or 'rms'",
        o.placement.of(layer).name, o.norm.of(layer).name);
  }
  return "";
}

// A pattern of which the last layers would be lost in silence.
template <typename T> std::string too_long(const char* name, const PerLayer<T>& pattern, int64_t layers) {
  if (pattern.period() <= layers) return "";
  return fmt::format("the pattern of {} is of {} layers, but the model has {}; give it more layers, or a shorter pattern", name,
                     pattern.period(), layers);
}

}  // namespace

std::string why_not(const TransformerOptions& o, StackKind kind) {
  for (const std::string& reason : {too_long("norm", o.norm, o.layers), too_long("placement", o.placement, o.layers),
                                    too_long("position", o.position, o.layers), too_long("feed_forward", o.feed_forward, o.layers),
                                    too_long("rope_theta", o.rope_theta, o.layers), too_long("rope_factor", o.rope_factor, o.layers),
                                    too_long("window", o.window, o.layers), too_long("temperature_growth", o.temperature_growth, o.layers),
                                    too_long("value_embedding", o.value_embedding, o.layers), why_not_options(o)}) {
    if (!reason.empty()) return reason;
  }
  const int64_t kinds = o.norm.varies() || o.placement.varies() || o.feed_forward.varies() ? o.layers : 1;
  for (int64_t layer = 0; layer < kinds; ++layer) {
    if (std::string reason = why_not_layer(o, kind, layer); !reason.empty()) return reason;
  }
  return "";
}

}  // namespace gradus::nn
