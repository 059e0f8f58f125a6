#include "nn/model/encoder_decoder.h"

#include "nn/feed_forward/feed_forward_table.h"
#include "nn/init.h"
#include "nn/model/compatibility.h"
#include "nn/model/embedding_scale.h"

namespace gradus::nn {
namespace {

BlockOptions block_options(const TransformerOptions& o, StackKind kind) {
  const bool decoder = kind == StackKind::decoder;
  const std::string reason = why_not(StackVariants{.norm = o.norm, .placement = o.placement, .causal = decoder});
  check<ValueError>(reason.empty(), "Transformer: {}", reason);
  return {.attention = {.d_model = o.d_model, .heads = o.heads, .bias = o.bias, .causal = decoder, .dropout = o.dropout},
          .feed_forward = {.d_model = o.d_model,
                           .d_ff = o.d_ff != 0 ? o.d_ff : feed_forward_width(o.feed_forward, o.d_model),
                           .dropout = o.dropout,
                           .bias = o.bias ? FeedForwardBias::all : FeedForwardBias::none},
          .stack = {o.layers, kind, o.paired_layers},
          .cross_attention = decoder,
          .norm = o.norm,
          .placement = o.placement,
          .feed_forward_name = o.feed_forward};
}

PositionEncodingPtr make_position(const TransformerOptions& o, StackKind kind) {
  check<ValueError>(o.heads > 0 && o.d_model > 0 && o.d_model % o.heads == 0,
                    "Transformer: {} heads do not divide d_model {}", o.heads, o.d_model);
  return position_encodings().find(o.position).value({.d_model = o.d_model,
                                            .heads = o.heads,
                                            .head_dim = o.d_model / o.heads,
                                            .max_length = o.context,
                                            .causal = kind == StackKind::decoder});
}

TransformerOptions with_layers(TransformerOptions o, int64_t layers, int64_t paired_layers) {
  o.layers = layers;
  o.paired_layers = paired_layers;
  return o;
}

}  // namespace

Encoder::Encoder(const TransformerOptions& o)
    : position_(make_position(o, StackKind::encoder)),
      dropout_(o.dropout),
      stack_(block_options(o, StackKind::encoder), position_.get()) {
  stack_.initialize();
}

// #region model-encoder
Tensor Encoder::encode(const Tensor& x, const Tensor& mask) {
  const Tensor positions = arange(x.size(1));
  return stack_.forward(dropout_(position_->on_embedding(x, positions)), {.self = {.mask = mask, .positions = positions}});
}
// #endregion model-encoder

void Encoder::members(Members& m) {
  m.child("position", *position_);
  m.child("dropout", dropout_);
  stack_.members(m);
}

Decoder::Decoder(const TransformerOptions& o)
    : position_(make_position(o, StackKind::decoder)),
      dropout_(o.dropout),
      stack_(block_options(o, StackKind::decoder), position_.get()) {
  stack_.initialize();
}

// #region model-decoder
Tensor Decoder::decode(const Tensor& x, const Tensor& memory, const Tensor& memory_mask) {
  const Tensor positions = arange(x.size(1));
  return stack_.forward(dropout_(position_->on_embedding(x, positions)),
                        {.self = {.positions = positions}, .cross = {.memory = memory, .mask = memory_mask}});
}
// #endregion model-decoder

void Decoder::members(Members& m) {
  m.child("position", *position_);
  m.child("dropout", dropout_);
  stack_.members(m);
}

EncoderDecoder::EncoderDecoder(const EncoderDecoderOptions& o)
    : context_(o.stacks.context),
      source_embedding_(o.source_vocabulary, o.stacks.d_model),
      target_embedding_(o.target_vocabulary, o.stacks.d_model),
      scale_(o.embedding_scale != 0 ? o.embedding_scale : usual_embedding_scale(o.stacks.position, o.stacks.d_model)),
      encoder_(with_layers(o.stacks, o.encoder_layers, o.decoder_layers)),
      decoder_(with_layers(o.stacks, o.decoder_layers, o.encoder_layers)) {
  if (!o.tie_weights) {
    head_.emplace(o.stacks.d_model, o.target_vocabulary, LinearOptions{.bias = false});
    init_normal(head_->weight, 0.02);
  }
}

Tensor EncoderDecoder::forward(const Tensor& source, const Tensor& target, const Tensor& source_mask) {
  check<ShapeError>(source.rank() == 2 && target.rank() == 2 && source.size(0) == target.size(0),
                    "EncoderDecoder: expected ids [B, S] and [B, T], got {} and {}", source.shape(), target.shape());
  for (const Tensor& ids : {source, target}) {
    check<ValueError>(ids.size(1) <= context_, "EncoderDecoder: {} ids, but the context is {}", ids.size(1), context_);
  }
  Tensor mask;
  if (source_mask.defined()) {
    check<ShapeError>(source_mask.shape() == source.shape(),
                      "EncoderDecoder: the source mask needs the source's shape {}, got {}", source.shape(),
                      source_mask.shape());
    mask = reshape(source_mask, {source.size(0), 1, 1, source.size(1)});
  }
  const Tensor memory = encoder_.encode(source_embedding_(source) * scale_, mask);
  const Tensor x = decoder_.decode(target_embedding_(target) * scale_, memory, mask);
  return head_ ? (*head_)(x) : matmul(x, target_embedding_.weight, {.transpose_b = true});
}

void EncoderDecoder::members(Members& m) {
  m.child("source_embedding", source_embedding_);
  m.child("target_embedding", target_embedding_);
  m.child("encoder", encoder_);
  m.child("decoder", decoder_);
  if (head_) m.child("head", *head_);
}

}  // namespace gradus::nn
