// Encoder, decoder, and both together (Vaswani et al., 2017): stacks of blocks over sequences that are already embedded,
// and the model from ids to the scores of every next id.
#pragma once

#include <optional>

#include "nn/block/stack.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"

namespace gradus::nn {

// What the two stacks are made of. ValueError for variants that do not go together (why_not says which).
struct TransformerOptions {
  int64_t d_model = 128;
  int64_t heads = 4;
  int64_t d_ff = 0;  // 0: feed_forward_width
  int64_t layers = 4;
  int64_t paired_layers = 0;  // of the stack on the other side, where there is one
  int64_t context = 64;      // the longest sequence
  std::string norm = "layer";  // names in the families' tables
  std::string placement = "post";
  std::string position = "sinusoidal";
  std::string feed_forward = "relu";
  bool bias = true;    // of the linear maps in attention and in the feed-forward layer
  double dropout = 0;  // of the embedding with its positions, and of each sublayer's result
};

// Every position sees every other: x [B, T, d_model] to the same.
class Encoder : public Layer {
 public:
  explicit Encoder(const TransformerOptions& options);

  // `mask` [B, 1, 1, T] or any shape that broadcasts to [B, H, T, T]: 0 hides a position, as padding.
  Tensor encode(const Tensor& x, const Tensor& mask = {});
  Tensor forward(const Tensor& x) override { return encode(x); }
  void members(Members& m) override;
  std::string describe() const override { return "Encoder"; }

 private:
  PositionEncodingPtr position_;
  Dropout dropout_;  // of the embedding with its positions
  Stack stack_;
};

// Three sublayers, with a norm each: masked self-attention, cross-attention on what the encoder made, feed-forward.
class Decoder : public Module {
 public:
  explicit Decoder(const TransformerOptions& options);

  // x [B, T, d_model] and memory [B, S, d_model] to [B, T, d_model]; memory_mask broadcasts to [B, H, T, S].
  Tensor decode(const Tensor& x, const Tensor& memory, const Tensor& memory_mask = {});
  void members(Members& m) override;
  std::string describe() const override { return "Decoder"; }

 private:
  PositionEncodingPtr position_;
  Dropout dropout_;  // of the embedding with its positions
  Stack stack_;
};

struct EncoderDecoderOptions {
  int64_t source_vocabulary = 256;
  int64_t target_vocabulary = 256;
  int64_t encoder_layers = 4;
  int64_t decoder_layers = 4;
  TransformerOptions stacks;   // `layers` and `paired_layers` are set from the two above
  double embedding_scale = 0;  // what both embeddings are multiplied by; 0: usual_embedding_scale
  bool tie_weights = true;     // the head's weight is the target embedding's
};

class EncoderDecoder : public Module {
 public:
  explicit EncoderDecoder(const EncoderDecoderOptions& options);

  // Ids source [B, S] and target [B, T] to logits [B, T, target_vocabulary]: of the id after each of the target's.
  // source_mask [B, S] (i64): 0 for padding. ValueError for an id out of range or a sequence longer than the context.
  Tensor forward(const Tensor& source, const Tensor& target, const Tensor& source_mask = {});
  void members(Members& m) override;
  std::string describe() const override { return "EncoderDecoder"; }

 private:
  int64_t context_;
  Embedding source_embedding_, target_embedding_;
  double scale_;  // of both embeddings
  Encoder encoder_;
  Decoder decoder_;
  std::optional<Linear> head_;  // none when tied
};

}  // namespace gradus::nn
