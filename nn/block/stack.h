// Stack: blocks one after the other, and the norm that ends them where their placement leaves the stream
// unnormalised.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

// The position encodings of a stack's self-attention.
struct StackPosition {
  PositionEncodingPtr first = nullptr;  // of the first block, and, where they share it, of all; nullptr for none
  std::function<PositionEncodingPtr()> next = nullptr;  // makes each further block's own; nullptr: they share the first
  bool shared() const { return next == nullptr; }
};

struct StackInputs {
  AttentionInputs self = {};  // the same for every block
  AttentionInputs cross = {};
  std::vector<KeyValueCache>* caches = nullptr;  // of self-attention, one per block (ValueError); resized when empty
  std::vector<Stream>* trace = nullptr;          // is given the stream before the first block and after each
  Tensor condition = {};                         // Stream::condition
};

class Stack : public Module {
 public:
  // options.stack.layers blocks (ValueError unless positive). An encoding that is not shared is its block's member.
  explicit Stack(BlockOptions options, const StackPosition& position = {});

  Tensor forward(const Tensor& x, const StackInputs& inputs = {});  // [B, T, d_model] to the same
  void initialize();  // the matrices of all blocks anew, as Block::initialize says
  void members(Members& m) override;  // "blocks.0", "blocks.1", …, "final_norm"
  std::string describe() const override { return fmt::format("Stack({} blocks)", blocks_.size()); }

  std::size_t size() const { return blocks_.size(); }
  Block& block(std::size_t i) { return blocks_[i]; }

 private:
  std::vector<Block> blocks_;
  LayerPtr final_norm_;  // null where none is needed
  bool value_residual_;
};

}  // namespace gradus::nn
