// Stack: blocks one after the other, and a final norm if their placement leaves the stream unnormalised.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

// The position encodings of a stack's self-attention.
struct StackPosition {
  PositionEncodingPtr first = nullptr;  // of the first block, or of all blocks if they share it; nullptr for none
  std::function<PositionEncodingPtr(int64_t block)> next = nullptr;  // of each further block; nullptr: they share the first
  bool shared() const { return next == nullptr; }
};

// What one call may bring besides x.
struct StackInputs {
  AttentionInputs self = {};                     // the same for every block
  AttentionInputs cross = {};                    // likewise
  std::vector<KeyValueCache>* caches = nullptr;  // of self-attention, one per block (ValueError); made if empty
  std::vector<Stream>* trace = nullptr;          // the stream before the first block and after each is appended
  Tensor condition = {};                         // Stream::condition
  Tensor ids = {};                               // BlockInputs::ids and AttentionInputs::ids
  Tensor per_layer = {};                         // BlockInputs::per_layer of all blocks, [B, T, blocks, width]
};

// Blocks one after the other, of the same options or of different ones.
class Stack : public Module {
 public:
  // Makes options.stack.layers blocks, whatever options.stack.index is. A position encoding that not all blocks share is a member
  // of the first block that has it. ValueError unless there are 1 to kMostLayers, and for such an encoding that is nullptr.
  explicit Stack(const BlockOptions& options, const StackPosition& position = {});
  // A block for each of these options, whose places in the stack are theirs in the vector. ValueError for a block that shares keys
  // and values unless its kv_source is an earlier block that does not.
  explicit Stack(std::vector<BlockOptions> blocks, const StackPosition& position = {});

  // [B, T, d_model] to the same. The caches are changed only if all goes well.
  Tensor operator()(const Tensor& x, const StackInputs& inputs = {});
  void initialize();                  // draws the matrices of all blocks anew, as Block::initialize does
  void members(Members& m) override;  // "blocks.0", "blocks.1", …, "final_norm"
  std::string describe() const override { return fmt::format("Stack({} blocks)", blocks_.size()); }

  std::size_t size() const { return blocks_.size(); }
  Block& block(std::size_t i);  // ValueError unless i < size()

 private:
  std::vector<Block> blocks_;
  LayerPtr final_norm_;  // null where none is needed
  bool value_residual_ = false, residual_scores_ = false, shares_kv_ = false;
  std::vector<std::size_t> kv_sources_;  // of each block: the block whose keys and values it attends to
};

}  // namespace gradus::nn
