#include "nn/block/stack.h"

#include "nn/call_scope.h"

namespace gradus::nn {

Stack::Stack(BlockOptions o, const StackPosition& position)
    : value_residual_(o.attention.value_residual), residual_scores_(o.attention.residual_scores) {
  o.stack.index = 0;
  check_stack(o.stack);
  for (o.stack.index = 0; o.stack.index < o.stack.layers; ++o.stack.index) {
    const PositionEncodingPtr own = o.stack.index == 0 || position.shared() ? position.first : position.next();
    check<ValueError>(own != nullptr || position.shared(), "Stack: the position encoding of block {} is nullptr", o.stack.index);
    blocks_.emplace_back(o, own, !position.shared());
  }
  if (blocks_[0].placement().needs_final_norm()) {
    final_norm_ = o.norm.make({.width = o.attention.d_model});
  }
}

Tensor Stack::operator()(const Tensor& x, const StackInputs& inputs) {
  const CallScope call(*this);
  std::vector<KeyValueCache> caches(blocks_.size());
  if (inputs.caches != nullptr && !inputs.caches->empty()) caches = *inputs.caches;
  check<ValueError>(caches.size() == blocks_.size(), "{} blocks, but {} caches", blocks_.size(), caches.size());
  Stream stream{.x = x, .condition = inputs.condition};
  if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  Tensor first_values, scores;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    BlockInputs given{inputs.self, inputs.cross};
    if (inputs.caches != nullptr) given.self.cache = &caches[i];
    if (value_residual_) given.self.first_values = &first_values;
    if (residual_scores_) given.self.scores = &scores;
    stream = blocks_[i](stream, given);
    if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  }
  const Tensor y = blocks_[0].placement().finish(stream, final_norm_.get());
  if (inputs.caches != nullptr) *inputs.caches = std::move(caches);  // now that nothing can fail any more
  return y;
}

Block& Stack::block(std::size_t i) {
  check_still_here();
  check<ValueError>(i < blocks_.size(), "Stack: of {} blocks there is none of index {}", blocks_.size(), i);
  return blocks_[i];
}

void Stack::initialize() {
  check_still_here();
  for (Block& block : blocks_) block.initialize();
}

void Stack::members(Members& m) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) m.child(fmt::format("blocks.{}", i), blocks_[i]);
  if (final_norm_ != nullptr) m.child("final_norm", *final_norm_);
}

}  // namespace gradus::nn
