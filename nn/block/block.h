// Block: one Transformer layer: its sublayers, run as its placement says. With the defaults, pre-norm:
//
//   y = x + attention(norm(x))      block(x) = y + feed_forward(norm(y))
//
// norm_placement.cpp and scaled_residual.cpp have the other placements, most of them a line each.
#pragma once

#include "nn/block/per_layer_embedding.h"
#include "nn/block/placement.h"
#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::nn {

struct BlockOptions {
  AttentionOptions attention;  // of self-attention; cross-attention is not causal, and has none of the options that concern other layers
  FeedForwardOptions feed_forward;
  StackShape stack;
  int64_t kv_source = 0;  // if attention.shares_kv: the earlier block whose keys and values its self-attention reads
  bool cross_attention = false;
  NormChoice norm = "rms";
  PlacementChoice placement = "pre";
  FeedForwardChoice feed_forward_layer = "swiglu";
  InitChoice init = "depth-scaled";    // how initialize() draws the matrices
  double stochastic_depth = 0;         // probability with which the last block drops a sublayer's result, for a sample
  bool stochastic_depth_grows = true;  // in proportion to a block's place, up to that; false: the same in all blocks
  int64_t per_layer_width = 0;         // of BlockInputs::per_layer, which the block adds last, as PerLayerInput does; 0: none
};

// What a block's sublayers may need besides the stream.
struct BlockInputs {
  AttentionInputs self = {};
  AttentionInputs cross = {};
  Tensor ids = {};        // of the tokens, for experts that are chosen by them
  Tensor per_layer = {};  // the tokens' vectors for this block, [B, T, per_layer_width]
};

// One layer of a stack.
class Block : public Module {
 public:
  // `position` acts on self-attention; nullptr for none. With `own_position` it is a member of the block. ValueError unless the
  // stack has a block of this index, and for options that a part refuses.
  explicit Block(const BlockOptions& options, const PositionEncodingPtr& position = nullptr, bool own_position = false);

  // GraphError if a block with cross-attention is given no memory.
  Stream operator()(const Stream& stream, const BlockInputs& inputs = {});
  void initialize();  // draws the sublayers' matrices anew, by options.init or the placement's own rule
  void own_step(const SumOverRanks& sum) override;
  void members(Members& m) override;
  const Placement& placement() const { return *placement_; }

 private:
  struct Part {
    SublayerKind kind;
    LayerPtr layer;
    MultiHeadAttention* attention = nullptr;  // the layer, if it is one
    MixtureOfExperts* experts = nullptr;      // likewise
  };
  Part make_part(SublayerKind kind, BlockOptions options, const PositionEncodingPtr& position) const;
  Sublayer with_inputs(const Part& part, const BlockInputs& inputs);

  PlacementPtr placement_;
  std::optional<StochasticDepth> stochastic_depth_;
  std::optional<PerLayerInput> per_layer_;
  PositionEncodingPtr own_position_;  // null where it is shared, or there is none
  std::vector<Part> parts_;
  InitChoice init_;
};

}  // namespace gradus::nn
