// Block: the sublayers of one Transformer layer, in their placement.
#pragma once

#include "nn/block/multi_head_attention.h"
#include "nn/block/placement.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/stochastic_depth.h"

namespace gradus::nn {

struct BlockOptions {
  AttentionOptions attention;  // of self-attention; cross-attention's are the same without causal, window and value_residual
  FeedForwardOptions feed_forward;
  StackShape stack;
  bool cross_attention = false;
  NormChoice norm = "rms";
  PlacementChoice placement = "pre";
  FeedForwardChoice feed_forward_layer = "swiglu";
  InitChoice init = "depth-scaled";  // what initialize() does
  double stochastic_depth = 0;       // each sublayer's result is dropped, for a sample, with this probability …
  bool stochastic_depth_grows = true;  // … in the last block; in those before in proportion to their place
};

// What a block's attentions may need besides the stream.
struct BlockInputs {
  AttentionInputs self = {};
  AttentionInputs cross = {};
};

class Block : public Module {
 public:
  // `position` acts on self-attention; nullptr for none. Is it the block's own, and so one of its members?
  explicit Block(const BlockOptions& options, const PositionEncodingPtr& position = nullptr, bool own_position = false);

  Stream forward(const Stream& stream, const BlockInputs& inputs = {});
  void initialize();  // the matrices of all sublayers anew, by options.init, unless the placement has a rule of its own
  void members(Members& m) override;
  const Placement& placement() const { return *placement_; }

 private:
  // One sublayer: an attention or a feed-forward layer.
  struct Part {
    SublayerKind kind;
    std::unique_ptr<MultiHeadAttention> attention;
    LayerPtr feed_forward;
    Module& module() const { return attention != nullptr ? static_cast<Module&>(*attention) : *feed_forward; }
  };
  Part make_part(SublayerKind kind, BlockOptions options, const PositionEncodingPtr& position) const;
  Tensor run(const Part& part, const Tensor& x, const BlockInputs& inputs);

  PlacementPtr placement_;
  std::optional<StochasticDepth> stochastic_depth_;
  PositionEncodingPtr own_position_;  // null where it is shared, or there is none
  std::vector<Part> parts_;
  InitChoice init_;
};

}  // namespace gradus::nn
