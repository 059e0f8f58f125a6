// Block: the sublayers of one Transformer layer, in their placement.
#pragma once

#include "nn/attention/multi_head.h"
#include "nn/block/placement.h"
#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::nn {

struct BlockOptions {
  AttentionOptions attention;  // of self-attention; cross-attention is the same without causal mask and window
  FeedForwardOptions feed_forward;
  StackShape stack;
  bool cross_attention = false;
  std::string norm = "rms";  // names in the families' tables
  std::string placement = "pre";
  std::string feed_forward_name = "swiglu";
};

// What a block's attentions may need besides the stream.
struct BlockInputs {
  AttentionInputs self = {};
  AttentionInputs cross = {};
};

class Block : public Module {
 public:
  // `position` acts on self-attention; it must outlive the block.
  Block(const BlockOptions& options, PositionEncoding* position);

  Stream forward(const Stream& stream, const BlockInputs& inputs = {});
  void initialize() { placement_->initialize(named_parameters()); }  // all matrices anew, as the placement asks
  void members(Members& m) override;
  std::string describe() const override { return "Block"; }
  const Placement& placement() const { return *placement_; }

 private:
  // One sublayer: an attention or a feed-forward layer.
  struct Part {
    SublayerKind kind;
    std::unique_ptr<MultiHeadAttention> attention;
    LayerPtr feed_forward;
  };
  Part make_part(SublayerKind kind, BlockOptions options, PositionEncoding* position) const;

  PlacementPtr placement_;
  std::vector<Part> parts_;
};

}  // namespace gradus::nn
