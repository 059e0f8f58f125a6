#include "nn/block/block.h"

#include "nn/norm/norms.h"

namespace gradus::nn {

Block::Block(const BlockOptions& o, Position* position) {
  std::vector<SublayerKind> usual{SublayerKind::attention, SublayerKind::feed_forward};
  if (o.cross_attention) usual.insert(usual.begin() + 1, SublayerKind::cross_attention);
  const int64_t d_model = o.attention.d_model;
  PlacementOptions options{.make_norm = [o, d_model] { return norms().find(o.norm).make({.width = d_model}); },
                           .d_model = d_model,
                           .layers = o.layers,
                           .sublayers = static_cast<int64_t>(usual.size())};
  placement_ = placements().find(o.placement).make(options);
  for (SublayerKind kind : placement_->layout(usual)) parts_.push_back(make_part(kind, o, position));
}

Block::Part Block::make_part(SublayerKind kind, const BlockOptions& o, Position* position) const {
  if (kind == SublayerKind::feed_forward) {
    return {kind, nullptr, feed_forwards().find(o.feed_forward_name).make(o.feed_forward)};
  }
  if (kind == SublayerKind::attention) return {kind, std::make_unique<MultiHeadAttention>(o.attention, position), nullptr};
  AttentionOptions cross = o.attention;
  cross.causal = false;
  return {kind, std::make_unique<MultiHeadAttention>(cross, nullptr), nullptr};
}

Stream Block::forward(const Stream& stream, const BlockInputs& inputs) {
  std::vector<Sublayer> sublayers;
  for (const Part& part : parts_) {
    if (part.kind == SublayerKind::feed_forward) {
      sublayers.push_back([&part](const Tensor& x) { return (*part.feed_forward)(x); });
    } else {
      const AttentionInputs& given = part.kind == SublayerKind::attention ? inputs.self : inputs.cross;
      sublayers.push_back([&part, &given](const Tensor& x) { return part.attention->attend(x, given); });
    }
  }
  return placement_->forward(stream, sublayers);
}

void Block::members(Members& m) {
  m.child("placement", *placement_);
  int feed_forwards_so_far = 0;
  for (Part& part : parts_) {
    switch (part.kind) {
      case SublayerKind::attention: m.child("attention", *part.attention); break;
      case SublayerKind::cross_attention: m.child("cross_attention", *part.attention); break;
      case SublayerKind::feed_forward:
        m.child(++feed_forwards_so_far == 1 ? "feed_forward" : fmt::format("feed_forward{}", feed_forwards_so_far),
                *part.feed_forward);
    }
  }
}

}  // namespace gradus::nn
