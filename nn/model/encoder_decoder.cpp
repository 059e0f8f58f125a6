#include "nn/model/encoder_decoder.h"

#include "core/options/range.h"
#include "nn/call_scope.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

std::vector<BlockOptions> with_memory(std::vector<BlockOptions> blocks) {
  for (BlockOptions& block : blocks) block.cross_attention = block.stack.kind == StackKind::decoder;
  return blocks;
}

int64_t source_vocabulary(const EncoderDecoderOptions& o) { return o.source_vocabulary != 0 ? o.source_vocabulary : o.stacks.vocabulary; }

int64_t encoder_layers(const EncoderDecoderOptions& o) { return o.encoder_layers != 0 ? o.encoder_layers : o.stacks.layers; }

TransformerOptions with_layers(TransformerOptions o, int64_t layers) {
  o.layers = layers;
  return o;
}

// The options of both stacks, checked before any table is made.
const EncoderDecoderOptions& checked(const EncoderDecoderOptions& o) {
  checked(o.stacks, StackKind::decoder, "EncoderDecoder");
  checked(with_layers(o.stacks, encoder_layers(o)), StackKind::encoder, "EncoderDecoder");
  check_size("source_vocabulary", source_vocabulary(o), "EncoderDecoder");
  return o;
}

}  // namespace

TransformerStack::TransformerStack(const TransformerOptions& o, StackKind kind, int64_t others)
    : options_(checked(o, kind, "Transformer")),
      position_(make_position(o, kind)),
      dropout_(o.embedding_dropout),
      stack_(with_memory(stack_options(options_, {o.layers, kind, others})), position_) {
  if (o.embedding_scale == 0) options_.embedding_scale = position_.first->embedding_scale(o.d_model);
  stack_.initialize();
}

Tensor TransformerStack::run(const Tensor& x, StackInputs inputs) {
  check_defined({{"x", x}}, "forward");
  check<ShapeError>(x.rank() == 3 && x.size(2) == options_.d_model, "expected x [B, T, {}], got {}", options_.d_model, x.shape());
  inputs.self.positions = arange(x.size(1));
  return stack_(dropout_(position_.first->on_embedding(x, inputs.self.positions)), inputs);
}

void TransformerStack::members(Members& m) {
  if (position_.shared()) m.child("position", *position_.first);
  m.child("dropout", dropout_);
  stack_.members(m);
}

// #region model-encoder
Tensor Encoder::operator()(const Tensor& x, const Tensor& mask) {
  const CallScope call(*this);
  return run(x, {.self = {.mask = mask}});
}
// #endregion model-encoder

// #region model-decoder
Tensor Decoder::operator()(const Tensor& x, const Tensor& memory, const Tensor& memory_mask) {
  const CallScope call(*this);
  return run(x, {.cross = {.memory = memory, .mask = memory_mask}});
}
// #endregion model-decoder

EncoderDecoder::EncoderDecoder(const EncoderDecoderOptions& o)
    : context_(checked(o).stacks.context),
      logit_softcap_(o.stacks.logit_softcap),
      source_embedding_(source_vocabulary(o), o.stacks.d_model),
      target_embedding_(o.stacks.vocabulary, o.stacks.d_model),
      encoder_(with_layers(o.stacks, encoder_layers(o)), o.stacks.layers),
      decoder_(o.stacks, encoder_layers(o)) {
  for (Embedding* embedding : {&source_embedding_, &target_embedding_}) {
    o.stacks.init.make({})(embedding->weight, Role::table);
  }
  if (!o.stacks.tie_weights) {
    head_.emplace(o.stacks.d_model, o.stacks.vocabulary, LinearOptions{.bias = false, .role = Role::head});
    init_normal(head_->weight, 0.02);
  }
}

Tensor EncoderDecoder::operator()(const Tensor& source, const Tensor& target, const Tensor& source_mask) {
  const CallScope call(*this);
  check_defined({{"source", source}, {"target", target}}, "forward");
  check<ShapeError>(source.rank() == 2 && target.rank() == 2 && source.size(0) == target.size(0),
                    "expected ids [B, S] and [B, T], got {} and {}", source.shape(), target.shape());
  for (const Tensor& ids : {source, target}) {
    check<ValueError>(ids.size(1) <= context_, "{} ids, but the context is {}; give fewer, or build it with a larger context", ids.size(1),
                      context_);
  }
  Tensor mask;
  if (source_mask.defined()) {
    check<ShapeError>(source_mask.shape() == source.shape(), "the source mask needs the source's shape {}, got {}", source.shape(),
                      source_mask.shape());
    mask = reshape(source_mask, {source.size(0), 1, 1, source.size(1)});
  }
  const Tensor memory = encoder_(source_embedding_(source) * encoder_.embedding_scale(), mask);
  const Tensor x = decoder_(target_embedding_(target) * decoder_.embedding_scale(), memory, mask);
  const Tensor z = head_ ? (*head_)(x) : linear(x, target_embedding_.weight);
  return logit_softcap_ > 0 ? softcap(z, logit_softcap_) : z;
}

void EncoderDecoder::members(Members& m) {
  m.child("source_embedding", source_embedding_);
  m.child("target_embedding", target_embedding_);
  m.child("encoder", encoder_);
  m.child("decoder", decoder_);
  if (head_) m.child("head", *head_);
}

}  // namespace gradus::nn
