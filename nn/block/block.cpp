#include "nn/block/block.h"

#include "nn/block/sphere.h"
#include "nn/call_scope.h"

namespace gradus::nn {

Block::Block(const BlockOptions& o, const PositionEncodingPtr& position, bool own_position)
    : own_position_(own_position ? position : nullptr), init_(o.init) {
  SublayerOrder usual{SublayerKind::attention, SublayerKind::feed_forward};
  if (o.cross_attention) usual.insert(usual.begin() + 1, SublayerKind::cross_attention);
  check_stack(o.stack);
  const int64_t d_model = o.attention.d_model;
  check<ValueError>(o.feed_forward.d_model == d_model,
                    "Block: attention has d_model {}, but the feed-forward layer {}; they share a stream, so give both the same", d_model,
                    o.feed_forward.d_model);
  placement_ = o.placement.make({
      .make_norm = [norm = o.norm, d_model] { return norm.make({.width = d_model}); },
      .d_model = d_model,
      .sublayers = usual,
      .stack = o.stack,
  });
  for (SublayerKind kind : placement_->order()) parts_.push_back(make_part(kind, o, position));
  if (o.stochastic_depth != 0) {
    stochastic_depth_.emplace(stochastic_depth_rate(o.stochastic_depth, o.stack.index, o.stack.layers, o.stochastic_depth_grows));
  }
  if (o.per_layer_width != 0) per_layer_.emplace(o.per_layer_width, d_model, o.norm);
}

Block::Part Block::make_part(SublayerKind kind, BlockOptions o, const PositionEncodingPtr& position) const {
  const SublayerExtras extras = placement_->extras();
  if (kind == SublayerKind::feed_forward) {
    if (extras.inner_norm) {
      o.feed_forward.inner_norm = [norm = o.norm](int64_t width) { return norm.make({.width = width}); };
    }
    o.feed_forward.row_gains |= extras.sphere;
    LayerPtr layer = o.feed_forward_layer.make(o.feed_forward);
    auto* const experts = dynamic_cast<MixtureOfExperts*>(layer.get());
    return {kind, std::move(layer), nullptr, experts};
  }
  const bool self = kind == SublayerKind::attention;
  o.attention.head_gain = extras.head_gain;
  if (extras.qkv_norm) {
    o.attention.value_norm = o.norm;
    if (!o.attention.qk_norm) o.attention.qk_norm = head_norms(o.norm);
  }
  if (extras.sphere && !o.attention.qk_norm) o.attention.qk_norm = "sphere";
  o.attention.value_residual &= self && o.stack.index > 0;  // there is nothing to mix in before
  if (!self) {
    o.attention.residual_scores = false;
    o.attention.causal = false;
    o.attention.window = 0;
    o.attention.temperature_growth = 0;
    o.attention.shares_kv = false;
    o.attention.value_embedding = 0;
  }
  auto attention = std::make_unique<MultiHeadAttention>(o.attention, self ? position : nullptr);
  MultiHeadAttention* const there = attention.get();
  return {kind, std::move(attention), there};
}

void Block::initialize() {
  check_still_here();
  for (const Part& part : parts_) placement_->initialize(part.layer->named_parameters(), init_);
  if (per_layer_) placement_->initialize(per_layer_->named_parameters(), init_);
}

void Block::own_step(const SumOverRanks&) {
  if (!placement_->extras().sphere) return;
  for (const Part& part : parts_) to_unit_rows(part.layer->named_parameters());
}

Stream Block::operator()(const Stream& stream, const BlockInputs& inputs) {
  const CallScope call(*this);
  std::vector<Sublayer> sublayers;
  for (const Part& part : parts_) sublayers.push_back(with_inputs(part, inputs));
  Stream next = (*placement_)(stream, sublayers);
  if (per_layer_) next.x = (*per_layer_)(next.x, inputs.per_layer);
  return next;
}

Sublayer Block::with_inputs(const Part& part, const BlockInputs& inputs) {
  StochasticDepth* const drop = stochastic_depth_ ? &*stochastic_depth_ : nullptr;
  if (part.experts != nullptr) return {*part.experts, inputs.ids, drop};
  if (part.attention == nullptr) return {*part.layer, drop};
  if (part.kind == SublayerKind::attention) return {*part.attention, inputs.self, drop};
  check_defined({{"the memory of its cross-attention", inputs.cross.memory}}, "attention");
  return {*part.attention, inputs.cross, drop};
}

void Block::members(Members& m) {
  m.child("placement", *placement_);
  if (stochastic_depth_) m.child("stochastic_depth", *stochastic_depth_);
  if (own_position_ != nullptr) m.child("position", *own_position_);
  int feed_forwards_so_far = 0;
  for (Part& part : parts_) {
    switch (part.kind) {
      case SublayerKind::attention: m.child("attention", *part.layer); break;
      case SublayerKind::cross_attention: m.child("cross_attention", *part.layer); break;
      case SublayerKind::feed_forward:
        m.child(++feed_forwards_so_far == 1 ? "feed_forward" : fmt::format("feed_forward{}", feed_forwards_so_far), *part.layer);
    }
  }
  if (per_layer_) m.child("per_layer", *per_layer_);
}

}  // namespace gradus::nn
