// Encoder, decoder, and both together (Vaswani et al., 2017); original_transformer() has that paper's choices.
#pragma once

#include <optional>

#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/model/transformer_options.h"

namespace gradus::nn {

// Positions and dropout on an embedded sequence, then a stack of blocks. It does not read the options vocabulary,
// embedding_scale and tie_weights.
class TransformerStack : public Module {
 public:
  double embedding_scale() const { return options_.embedding_scale; }  // the factor that the embedding x is to have
  void members(Members& m) override;

 protected:
  // A decoder is causal and has cross-attention. `others` is the depth of the stack that it is paired with, or 0. Errors as of
  // checked(), naming "Transformer".
  TransformerStack(const TransformerOptions& options, StackKind kind, int64_t others);

  Tensor run(const Tensor& x, StackInputs inputs);  // x [B, T, d_model] to the same shape

 private:
  TransformerOptions options_;  // with defaults resolved
  StackPosition position_;
  Dropout dropout_;  // of the embedding with its positions
  Stack stack_;
};

// A stack in which every position sees every other.
class Encoder : public TransformerStack {
 public:
  explicit Encoder(const TransformerOptions& options, int64_t decoder_layers = 0)
      : TransformerStack(options, StackKind::encoder, decoder_layers) {}

  // x [B, T, d_model], an embedded sequence, to the same shape. `mask` [B, 1, 1, T], or any shape that broadcasts to
  // [B, H, T, T], is 0 for a position that none is to see, say padding.
  Tensor operator()(const Tensor& x, const Tensor& mask = {});
};

// A stack of blocks of three sublayers: causal self-attention, cross-attention on what the encoder made, feed-forward layer.
class Decoder : public TransformerStack {
 public:
  explicit Decoder(const TransformerOptions& options, int64_t encoder_layers = 0)
      : TransformerStack(options, StackKind::decoder, encoder_layers) {}

  // x [B, T, d_model], and memory [B, S, d_model], what the encoder made, to [B, T, d_model]. memory_mask broadcasts to
  // [B, H, T, S]: 0 hides a position of the memory. GraphError without a memory.
  Tensor operator()(const Tensor& x, const Tensor& memory, const Tensor& memory_mask = {});
};

struct EncoderDecoderOptions {
  int64_t source_vocabulary = 0;  // 0: as many ids as the target's
  int64_t encoder_layers = 0;     // 0: as many as the decoder's
  // The options of both stacks. `vocabulary` is the target's, `layers` the decoder's, and tie_weights ties the head to the
  // target's embedding.
  TransformerOptions stacks = original_transformer();
};

// The model from source and target ids to the scores of the target's next ids.
class EncoderDecoder : public Module {
 public:
  explicit EncoderDecoder(const EncoderDecoderOptions& options);

  // The ids source [B, S] and target [B, T] (i64) to logits [B, T, vocabulary] of the id that follows each of the target's.
  // source_mask [B, S] (i64) is 0 for padding. ValueError for an id out of range or a sequence longer than the context.
  Tensor operator()(const Tensor& source, const Tensor& target, const Tensor& source_mask = {});
  void members(Members& m) override;

 private:
  int64_t context_;
  double logit_softcap_;
  Embedding source_embedding_, target_embedding_;
  Encoder encoder_;
  Decoder decoder_;
  std::optional<Linear> head_;  // none when tied
};

}  // namespace gradus::nn
