// Placements: how a block combines norms, sublayers and residual connections. The block owns the sublayers; its placement owns
// the norms and gains, decides the order, and initialises the sublayers' weights.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/options/table.h"
#include "nn/block/multi_head_attention.h"
#include "nn/feed_forward/experts.h"
#include "nn/init_table.h"
#include "nn/stochastic_depth.h"

namespace gradus::nn {

// What flows from block to block.
struct Stream {
  Tensor x;               // the residual stream, [B, T, d_model]
  Tensor second = {};     // of placements that keep more: a second stream of this shape, or several, [B, T, n, d_model]
  Tensor condition = {};  // of placements that take one: [B, d_model], the same for all blocks
};

// A sublayer in one call of its block: the f of x + f(x).
class Sublayer {
 public:
  // Attention with its inputs, or a layer of x alone. In training `drop` drops its result as a whole; nullptr for none.
  Sublayer(MultiHeadAttention& attention, const AttentionInputs& inputs, StochasticDepth* drop = nullptr)
      : layer_(&attention), attention_(&attention), inputs_(&inputs), drop_(drop) {}
  Sublayer(MultiHeadAttention&, AttentionInputs&&, StochasticDepth* = nullptr) = delete;  // they are not copied
  Sublayer(Layer& layer, StochasticDepth* drop = nullptr) : layer_(&layer), drop_(drop) {}
  // Experts, which may ask for the ids of the tokens; undefined for none.
  Sublayer(MixtureOfExperts& experts, const Tensor& ids, StochasticDepth* drop = nullptr)
      : layer_(&experts), experts_(&experts), ids_(ids), drop_(drop) {}

  // f(x). Its shape must be that of x (ShapeError), or x + f(x) would broadcast in silence.
  Tensor operator()(const Tensor& x) const;
  // Self-attention whose queries, keys and values are each made from their own x. ValueError of another layer.
  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values) const;

 private:
  Tensor checked(const Tensor& y, const Tensor& x) const;

  Layer* layer_;
  MultiHeadAttention* attention_ = nullptr;  // the layer, if it is one
  const AttentionInputs* inputs_ = nullptr;
  MixtureOfExperts* experts_ = nullptr;  // the layer, if it is one
  Tensor ids_;
  StochasticDepth* drop_;
};

// The sublayers that a block may have, and the order in which it runs them.
enum class SublayerKind { attention, cross_attention, feed_forward };
using SublayerOrder = std::vector<SublayerKind>;

// The stack that a block is part of; some placements derive constants from its depth.
enum class StackKind { encoder, decoder };
struct StackShape {
  int64_t layers = 1;
  StackKind kind = StackKind::decoder;
  int64_t paired_layers = 0;  // of the other stack of an encoder and a decoder; 0: there is none
  int64_t index = 0;          // the block's number among the layers, from 0
};

inline constexpr int64_t kMostLayers = 10'000;  // ten times as many as any stack that was trained

// ValueError, beginning with `op`, unless 1 ≤ layers ≤ kMostLayers, 0 ≤ index < layers, 0 ≤ paired_layers ≤ kMostLayers.
void check_stack(const StackShape& stack, OpName op = {});

struct PlacementOptions {
  std::function<LayerPtr()> make_norm;  // makes a norm over the stream
  int64_t d_model;
  SublayerOrder sublayers;  // those of the model: attention, perhaps cross-attention, feed-forward
  StackShape stack;

  LayerPtr new_norm() const;  // by make_norm; ValueError if that is empty, or makes nothing
};

// Options that a placement switches on inside its sublayers.
struct SublayerExtras {
  bool head_gain = false;   // attention scales each head's result by a gain
  bool inner_norm = false;  // the feed-forward layer normalises its hidden values
  bool qkv_norm = false;    // attention normalises queries, keys and values, over each head; queries and keys by qk_norm if it is given
  bool sphere = false;      // what Sphere says: the qk_norm "sphere" unless one is given, row_gains, and to_unit_rows after each step
};

// The norms and gains of one block, and the order in which its sublayers run.
class Placement : public Module {
 public:
  // Makes the norms of each sublayer, in order: its members "norm1", "norm2", … ValueError unless the stack has a block of this
  // index, the sizes are positive, and there are sublayers.
  explicit Placement(const PlacementOptions& options, std::size_t norms_per_sublayer = 0);
  void members(Members& m) override;

  const SublayerOrder& order() const { return order_; }  // the block's sublayers: the model's, unless the placement changes them
  virtual SublayerExtras extras() const { return {}; }

  // The stream after the block. ShapeError unless the stream is [..., d_model]; ValueError unless there is a sublayer for each
  // entry of order(), and for a condition that the placement does not take.
  Stream operator()(const Stream& stream, const std::vector<Sublayer>& sublayers);

  virtual bool needs_final_norm() const { return true; }  // false if the blocks normalise the stream itself
  // The stack's result, of the stream after its last block; `final_norm` is null unless needs_final_norm().
  virtual Tensor finish(const Stream& stream, Layer* final_norm) const {
    return final_norm != nullptr ? (*final_norm)(stream.x) : stream.x;
  }

  virtual bool keeps_more() const { return false; }           // does more than x flow from block to block?
  virtual bool reads_apart() const { return false; }          // are keys and values made from other sums than queries?
  virtual bool takes_condition() const { return false; }      // does it read Stream::condition?
  virtual bool normalizes_results() const { return false; }   // is a sublayer's result normalised before it is added?
  virtual bool relies_on_rescaling() const { return false; }  // does each block multiply the stream, so that its norms must remove scale?

  // Draws the matrices among a sublayer's parameters by their roles and `init`, unless the placement has its own rule.
  virtual void initialize(const NamedTensors& parameters, const InitChoice& init) const;

 protected:
  virtual Stream step(std::size_t i, const Stream& s, const Sublayer& f) = 0;  // the stream after sublayer i, f

  Layer& norm(std::size_t i) { return *norms_[i]; }  // from 0
  const StackShape& stack() const { return stack_; }
  // For InitOptions: how many sublayers add to the stream before a norm divides it: 1 where a norm follows each, or where the sum is
  // scaled by 1/√n.
  virtual int64_t added_sublayers() const { return needs_final_norm() ? sublayers_of_stack() : 1; }
  int64_t sublayers_of_stack() const { return stack_.layers * static_cast<int64_t>(order_.size()); }

 private:
  SublayerOrder order_;
  StackShape stack_;
  int64_t d_model_;
  std::vector<LayerPtr> norms_;
};

using PlacementPtr = PartPtr<Placement>;
using MakePlacement = std::function<PlacementPtr(const PlacementOptions&)>;
const Table<MakePlacement>& placements();    // by name: "pre", "post", …
using PlacementChoice = Choice<placements>;  // a name in the table, or a MakePlacement

// The parameters that a placement draws anew: matrices of the roles weight, scores and writes_stream.
NamedTensors linear_maps(const NamedTensors& parameters);

// --- for placements that keep several streams, or what earlier blocks gave ---------------------------------------
Tensor streams_of(const Stream& stream, int64_t n);  // the second stream; before the first block x, n times: [..., n, d_model]
void check_streams(const Tensor& h, int64_t n);      // ShapeError unless h is [..., n, C]
Tensor drawn_map(int64_t in, int64_t out);           // [in, out], from N(0, 1/in)

}  // namespace gradus::nn
