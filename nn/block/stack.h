// Stack: blocks one after the other, and a final norm if their placement leaves the stream unnormalised.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

// The position encodings of a stack's self-attention.
struct StackPosition {
  PositionEncodingPtr first = nullptr;                  // of the first block, or of all blocks if they share it; nullptr for none
  std::function<PositionEncodingPtr()> next = nullptr;  // makes each further block's own; nullptr: they share the first
  bool shared() const { return next == nullptr; }
};

// What one call may bring besides x.
struct StackInputs {
  AttentionInputs self = {};                     // the same for every block
  AttentionInputs cross = {};                    // likewise
  std::vector<KeyValueCache>* caches = nullptr;  // of self-attention, one per block (ValueError); made if empty
  std::vector<Stream>* trace = nullptr;          // the stream before the first block and after each is appended
  Tensor condition = {};                         // Stream::condition
};

// Blocks of the same options, but for their index.
class Stack : public Module {
 public:
  // Makes options.stack.layers blocks, whatever options.stack.index is. A block's own position encoding is one of its members.
  // ValueError unless there are 1 to kMostLayers, and for an own encoding that is nullptr.
  explicit Stack(BlockOptions options, const StackPosition& position = {});

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
  bool value_residual_, residual_scores_;
};

}  // namespace gradus::nn
