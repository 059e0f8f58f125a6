// Stack: blocks one after the other, and the norm that ends them where their placement leaves the stream
// unnormalised.
#pragma once

#include "nn/block/block.h"

namespace gradus::nn {

struct StackInputs {
  AttentionInputs self = {};  // the same for every block
  AttentionInputs cross = {};
  std::vector<KeyValueCache>* caches = nullptr;  // of self-attention, one per block (ValueError); resized when empty
  std::vector<Stream>* trace = nullptr;          // is given the stream before the first block and after each
};

class Stack : public Module {
 public:
  // options.stack.layers blocks (ValueError unless positive). `position` acts on self-attention; nullptr for none.
  explicit Stack(const BlockOptions& options, const PositionEncodingPtr& position = nullptr);

  Tensor forward(const Tensor& x, const StackInputs& inputs = {});  // [B, T, d_model] to the same
  void initialize();  // the matrices of all blocks anew, as their placement asks
  void members(Members& m) override;  // "blocks.0", "blocks.1", …, "final_norm"
  std::string describe() const override { return fmt::format("Stack({} blocks)", blocks_.size()); }

  std::size_t size() const { return blocks_.size(); }
  Block& block(std::size_t i) { return blocks_[i]; }

 private:
  std::vector<Block> blocks_;
  LayerPtr final_norm_;  // null where none is needed
};

}  // namespace gradus::nn
