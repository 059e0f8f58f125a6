// The options that all Transformers share: language model, encoder, decoder, encoder-decoder.
#pragma once

#include <optional>

#include "core/options/per_layer.h"
#include "nn/activation/activation_table.h"
#include "nn/block/stack.h"

namespace gradus::nn {

// The defaults are those of a language model of today. norm, placement, position, feed_forward and init are each a name
// in the family's table (ValueError with the nearest one) or a factory. What is PerLayer may be a pattern over the layers:
//   .window = {{512, 5}, {0}}    .position = {{"rope", 3}, {"none"}}
struct TransformerOptions {
  int64_t vocabulary = 256;  // ids, from 0; 256: bytes
  int64_t context = 64;      // the longest sequence
  int64_t d_model = 128;
  int64_t layers = 4;
  int64_t heads = 4;
  int64_t kv_heads = 0;                 // heads of keys and values, dividing `heads`; 0: as many
  int64_t head_dim = 0;                 // width of a head; 0: d_model / heads
  int64_t d_ff = 0;                     // 0: feed_forward_width, 384 for SwiGLU here
  PerLayer<NormChoice> norm = "rms";    // the final norm is as the last layer's
  std::optional<double> norm_eps = {};  // ε of every norm; none: the norm's own
  bool one_plus_gain = false;           // of norm "rms", as in RMSNormOptions
  PerLayer<PlacementChoice> placement = "pre";
  PerLayer<PositionChoice> position = "rope";
  PerLayer<FeedForwardChoice> feed_forward = "swiglu";
  ExpertsOptions experts = {};                       // of feed_forward "moe"; their vocabulary is the model's
  std::optional<ActivationChoice> activation = {};   // of a feed-forward layer without a gate; none: its own
  std::optional<double> swish_beta = {};             // β of "swiglu", and where that of "swiglu-beta" starts; none: 1
  InitChoice init = "depth-scaled";                  // how the embedding and the blocks' matrices start; DeepNorm's by its own rule
  PerLayer<std::optional<double>> rope_theta = {};   // of a rotary encoding; none: 10000
  PerLayer<std::optional<double>> rope_factor = {};  // of one that is scaled to longer contexts; none: the row's, 2
  std::optional<bool> share_position = {};           // one encoding for all layers, or one each; none: PositionEncoding::per_layer
  std::optional<QKNormChoice> qk_norm = {};          // of queries and keys
  int64_t classes = 0;                               // of the condition of a placement that takes one, "adaptive"; 0: none
  PerLayer<int64_t> window = 0;                      // if > 0, self-attention sees the `window` nearest positions, as in ScaledDotOptions
  double attention_scale = 0;                        // of the scores q · k, 1 in T5; 0: 1/√head_dim, or what qk_norm asks for
  double softcap = 0;                                // if > 0, attention's scores stay between -softcap and softcap
  std::optional<double> sink = {};                   // s of one more term e^s in attention's softmax; none: no such term
  bool train_sink = false;                           // an s for each head, trained from there
  bool value_residual = false;                       // later layers mix the first one's values into theirs
  PerLayer<bool> value_embedding = false;            // a layer adds a gated vector of the token's id to its values
  bool residual_scores = false;                      // each layer adds the scores of the one below to its own; not with a softcap
  int64_t per_layer_width = 0;                       // of a vector for each token and layer, as in PerLayerTable; 0: none
  PerLayer<double> temperature_growth = 0;           // β, by which scores grow with the position: see AttentionOptions
  int64_t temperature_length = 8192;                 // L of that
  int64_t shared_kv_layers = 0;                      // the last layers, each with the keys and values of an earlier one: see kv_source
  bool bias = false;                                 // of the linear maps in attention and in the feed-forward layer
  double logit_softcap = 0;                          // if > 0, the scores of the next id stay between -logit_softcap and logit_softcap
  double embedding_scale = 0;                        // what the embedding is multiplied by; 0: PositionEncoding::embedding_scale
  double dropout = 0;                                // of each sublayer's result
  double stochastic_depth = 0;                       // probability with which the last block drops a sublayer's whole result, for a sample
  bool stochastic_depth_grows = true;                // from the first block to that; false: the same for all
  double embedding_dropout = 0;                      // of the embedding with its positions
  double attention_dropout = 0;                      // of the attention's probabilities
  bool tie_weights = true;                           // the head's weight *is* the embedding's: one parameter, its gradients add
};

// The choices of Vaswani et al. (2017): layer norm after every sublayer, sinusoidal positions, ReLU, biases.
TransformerOptions original_transformer();

// --- for the models' constructors ------------------------------------------------------------------------------
// `o` with its feed-forward width filled in. Throws, beginning with `model`, before anything is made: ValueError for sizes
// outside 1 … 2⁴⁰, a negative d_ff, more than kMostLayers layers, heads that have no width (see head_dim), and variants that do not go
// together, as does a pattern of more layers than there are (see why_not).
TransformerOptions checked(TransformerOptions o, StackKind kind, OpName op = {});
// The position encodings of a stack; in a pattern, layers of the same kind share one. ValueError if layers are to have their own,
// but the encoding acts on the embedding.
StackPosition make_position(const TransformerOptions& o, StackKind kind);
// The layer whose keys and values a layer attends to: its own, but for the last shared_kv_layers. Each of these has those of the last
// layer before them with its window and its kind of position (Gemma 3n, 2025); -1 if there is none.
int64_t kv_source(const TransformerOptions& o, int64_t layer);
// The options of the block shape.index in a stack of this shape, and of all its blocks. A decoder's self-attention is causal.
BlockOptions block_options(const TransformerOptions& o, const StackShape& shape);
std::vector<BlockOptions> stack_options(const TransformerOptions& o, StackShape shape);

}  // namespace gradus::nn
