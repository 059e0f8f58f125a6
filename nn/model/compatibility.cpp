#include "nn/model/compatibility.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace gradus::nn {
namespace {

// The width of the parts that are asked; a wrong size is refused where the model is made.
int64_t width_of(const TransformerOptions& o) { return std::max<int64_t>(o.d_model, 1); }

PlacementPtr placement_of(const TransformerOptions& o) {
  return o.placement.make({
      .make_norm = [&] { return o.norm.make({.width = width_of(o)}); },
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

// Options that the part for which they are given does not have.
std::string why_not_options(const TransformerOptions& o) {
  const NormTraits& norm = o.norm.value.traits;
  if (o.norm_eps && !norm.eps) return fmt::format("norm '{}' has no eps; take it without norm_eps", o.norm.name);
  if (o.one_plus_gain && !norm.one_plus_gain) {
    return fmt::format("norm '{}' has no one_plus_gain; take norm 'rms'", o.norm.name);
  }
  const PositionTraits& position = o.position.value.traits;
  if (o.rope_theta && !position.theta) return fmt::format("position '{}' has no rope_theta; take 'rope'", o.position.name);
  if (o.rope_factor && !position.factor) {
    return fmt::format("position '{}' has no rope_factor; take {}", o.position.name, positions_with(&PositionTraits::factor));
  }
  if (o.train_sink && !o.sink) return "train_sink trains a sink, and there is none; set sink, from where it starts";
  if (o.stochastic_depth > 0 && placement_of(o)->normalizes_results()) {
    return fmt::format(
        "placement '{}' normalises what a sublayer gives before it is added, and would undo the 1/(1-p) of "
        "stochastic_depth; take placement 'pre'",
        o.placement.name);
  }
  if (o.value_residual && o.layers == 1) {
    return "value_residual mixes the first layer's values into later ones, and there is one layer; take more layers";
  }
  if (o.classes > 0 && !placement_of(o)->takes_condition()) {
    return fmt::format("placement '{}' takes no condition, so there is no use for classes; take placement 'adaptive'", o.placement.name);
  }
  if (o.swish_beta && !o.feed_forward.value.traits.swish_beta) {
    return fmt::format("feed_forward '{}' has no swish_beta; take 'swiglu' or 'swiglu-beta'", o.feed_forward.name);
  }
  if (o.activation && o.feed_forward.value.traits.gated) {
    return fmt::format("feed_forward '{}' has a gate, whose activation is its own; take feed_forward 'relu' with activation '{}'",
                       o.feed_forward.name, o.activation->name);
  }
  return "";
}

}  // namespace

std::string why_not(const TransformerOptions& o, StackKind kind) {
  if (std::string reason = why_not_options(o); !reason.empty()) return reason;
  if (kind == StackKind::decoder) {
    if (o.norm.make({.width = width_of(o)})->mixes_tokens()) return mixes_tokens("norm", o.norm.name);
    const QKNormOptions of_heads{.head_dim = width_of(o), .heads = std::max<int64_t>(o.heads, 1)};
    if (o.qk_norm && o.qk_norm->make(of_heads)->mixes_tokens()) return mixes_tokens("qk_norm", o.qk_norm->name);
  }
  if (placement_of(o)->relies_on_rescaling() && !o.norm.make({.width = width_of(o)})->removes_scale()) {
    return fmt::format(
        "placement '{}' multiplies the stream in every block, and norm '{}' does not take the scale "
        "out, so that it would grow exponentially with depth; take norm 'layer' or 'rms'",
        o.placement.name, o.norm.name);
  }
  return "";
}

}  // namespace gradus::nn
