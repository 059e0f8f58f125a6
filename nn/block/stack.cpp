#include "nn/block/stack.h"

#include <set>

#include "core/options/range.h"
#include "nn/call_scope.h"

namespace gradus::nn {

namespace {

std::vector<BlockOptions> repeated(BlockOptions o) {
  o.stack.index = 0;
  check_stack(o.stack, "Stack");
  return std::vector<BlockOptions>(static_cast<std::size_t>(o.stack.layers), o);
}

// The block whose keys and values block i attends to.
std::size_t source_block(const std::vector<BlockOptions>& options, std::size_t i) {
  if (!options[i].attention.shares_kv) return i;
  const int64_t source = options[i].kv_source;
  check<ValueError>(0 <= source && source < static_cast<int64_t>(i) && !options[static_cast<std::size_t>(source)].attention.shares_kv,
                    "Stack: block {} cannot share keys and values of block {}, which must be before it and have its own", i, source);
  return static_cast<std::size_t>(source);
}

}  // namespace

Stack::Stack(const BlockOptions& options, const StackPosition& position) : Stack(repeated(options), position) {}

Stack::Stack(std::vector<BlockOptions> options, const StackPosition& position) {
  std::set<PositionEncodingPtr> held;  // by the blocks so far
  for (std::size_t i = 0; i < options.size(); ++i) {
    BlockOptions& o = options[i];
    o.stack.layers = static_cast<int64_t>(options.size());
    o.stack.index = static_cast<int64_t>(i);
    const PositionEncodingPtr encoding = i == 0 || position.shared() ? position.first : position.next(o.stack.index);
    check<ValueError>(encoding != nullptr || position.shared(), "Stack: the position encoding of block {} is nullptr", i);
    blocks_.emplace_back(o, encoding, !position.shared() && held.insert(encoding).second);
    value_residual_ |= o.attention.value_residual;
    residual_scores_ |= o.attention.residual_scores;
    kv_sources_.push_back(source_block(options, i));
    shares_kv_ |= o.attention.shares_kv;
  }
  check_size("the number of layers", static_cast<int64_t>(options.size()), "Stack");
  if (blocks_.back().placement().needs_final_norm()) {
    final_norm_ = options.back().norm.make({.width = options.back().attention.d_model});
  }
}

Tensor Stack::operator()(const Tensor& x, const StackInputs& inputs) {
  const CallScope call(*this);
  std::vector<KeyValueCache> caches(blocks_.size());
  if (inputs.caches != nullptr && !inputs.caches->empty()) caches = *inputs.caches;
  check<ValueError>(caches.size() == blocks_.size(), "{} blocks, but {} caches", blocks_.size(), caches.size());
  const Shape per_layer = inputs.per_layer.defined() ? inputs.per_layer.shape() : Shape{1, 1, std::ssize(blocks_), 1};
  check<ShapeError>(per_layer.rank() == 4 && per_layer[2] == std::ssize(blocks_), "per_layer must be [B, T, {}, width], got {}",
                    blocks_.size(), per_layer);
  Stream stream{.x = x, .condition = inputs.condition};
  if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  Tensor first_values, scores;
  std::vector<KeyValueCache> kv(shares_kv_ ? blocks_.size() : 0);  // of each block that has its own
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    BlockInputs given{inputs.self, inputs.cross, inputs.ids};
    given.self.ids = inputs.ids;
    if (inputs.per_layer.defined()) given.per_layer = select(inputs.per_layer, 2, static_cast<int64_t>(i));
    if (inputs.caches != nullptr) given.self.cache = &caches[i];
    if (value_residual_) given.self.first_values = &first_values;
    if (shares_kv_) given.self.kv = &kv[kv_sources_[i]];
    if (residual_scores_) given.self.scores = &scores;
    stream = blocks_[i](stream, given);
    if (inputs.trace != nullptr) inputs.trace->push_back(stream);
  }
  const Tensor y = blocks_.back().placement().finish(stream, final_norm_.get());
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
