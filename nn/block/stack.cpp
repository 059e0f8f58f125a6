#include "nn/block/stack.h"

namespace gradus::nn {

Stack::Stack(BlockOptions o, const StackPosition& position) : value_residual_(o.attention.value_residual) {
  check<ValueError>(o.stack.layers > 0, "Stack: needs at least one layer, got {}", o.stack.layers);
  for (int64_t& layer = o.stack.index; layer < o.stack.layers; ++layer) {
    const bool first = layer == 0 || position.shared();
    blocks_.emplace_back(o, first ? position.first : position.next(), !position.shared());
  }
  if (blocks_[0].placement().needs_final_norm()) {
    final_norm_ = o.norm.make({.width = o.attention.d_model});
  }
}

Tensor Stack::forward(const Tensor& x, const StackInputs& inputs) {
  const CallScope call(*this);
  if (inputs.caches != nullptr) {
    if (inputs.caches->empty()) inputs.caches->resize(blocks_.size());
    check<ValueError>(inputs.caches->size() == blocks_.size(), "Stack: {} blocks, but {} caches", blocks_.size(),
                      inputs.caches->size());
  }
  Stream stream{.x = x, .condition = inputs.condition};
  if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  Tensor first_values;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    BlockInputs given{inputs.self, inputs.cross};
    if (inputs.caches != nullptr) given.self.cache = &(*inputs.caches)[i];
    if (value_residual_) given.self.first_values = &first_values;
    stream = blocks_[i].forward(stream, given);
    if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  }
  return blocks_[0].placement().finish(stream, final_norm_.get());
}

void Stack::initialize() {
  for (Block& block : blocks_) block.initialize();
}

void Stack::members(Members& m) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) m.child(fmt::format("blocks.{}", i), blocks_[i]);
  if (final_norm_ != nullptr) m.child("final_norm", *final_norm_);
}

}  // namespace gradus::nn
