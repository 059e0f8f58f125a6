// Placements: how a block combines norms, sublayers and residual connections. The block owns the sublayers (attention,
// feed-forward); its placement owns the norms and gains, decides the order, and initialises the sublayers' weights.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/table.h"
#include "nn/init_table.h"
#include "nn/module.h"

namespace gradus::nn {

// What flows from block to block: the residual stream; for the few placements that keep more, a second beside it, or several at
// once [B, T, n, d_model]; and, for those that take one, a condition [B, d_model], which stays as it is.
struct Stream {
  Tensor x;
  Tensor second = {};
  Tensor condition = {};
};

// A sublayer as a placement sees it: f in x + f(x).
using Sublayer = std::function<Tensor(const Tensor&)>;

enum class SublayerKind { attention, cross_attention, feed_forward };
using SublayerOrder = std::vector<SublayerKind>;

// The stack that a block is part of; some placements derive constants from its depth.
enum class StackKind { encoder, decoder };
struct StackShape {
  int64_t layers = 1;
  StackKind kind = StackKind::decoder;
  int64_t paired_layers = 0;  // of the decoder after an encoder, or the encoder before a decoder; 0: there is none
  int64_t index = 0;          // which of the layers the block is, from 0
};

struct PlacementOptions {
  std::function<LayerPtr()> make_norm;  // a new norm over the stream
  int64_t d_model;
  SublayerOrder sublayers;  // those of the model: attention, perhaps cross-attention, feed-forward
  StackShape stack;
};

// What a placement switches on inside its sublayers.
struct SublayerExtras {
  bool head_gain = false;   // attention scales each head's result by a gain of its own
  bool inner_norm = false;  // the feed-forward layer normalises its hidden values
};

// The norms and gains of one block, and the order in which its sublayers run.
class Placement : public Module {
 public:
  explicit Placement(const PlacementOptions& options) : order_(options.sublayers), stack_(options.stack) {}

  // Which sublayers the block has, in order: those of the model, unless the placement asks for others.
  const SublayerOrder& order() const { return order_; }
  virtual SublayerExtras extras() const { return {}; }

  // Runs the sublayers, one for each entry of order() (ValueError).
  Stream operator()(const Stream& stream, const std::vector<Sublayer>& sublayers);

  // Does the stack end with a norm of its own, because the stream is never normalised?
  virtual bool needs_final_norm() const { return true; }
  // What the stack hands on after its last block; `final_norm` is null where none is needed.
  virtual Tensor finish(const Stream& stream, Layer* final_norm) const {
    return final_norm != nullptr ? (*final_norm)(stream.x) : stream.x;
  }

  virtual bool takes_condition() const { return false; }  // does it read Stream::condition?
  // Is a sublayer's result normalised before it is added, so that what divides it is lost?
  virtual bool normalizes_results() const { return false; }
  // Does each block multiply the stream? Then its norm must remove the scale, or the stream grows without bound.
  virtual bool relies_on_rescaling() const { return false; }

  // How the matrices of the sublayers start, given their parameters with their roles: by this rule, unless the
  // placement has one of its own.
  virtual void initialize(const NamedTensors& parameters, const InitChoice& init) const;

 protected:
  virtual Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) = 0;

  void set_order(SublayerOrder order) { order_ = std::move(order); }
  const StackShape& stack() const { return stack_; }
  // InitOptions': all sublayers of the stack, unless each is followed by a norm of the stream, or scaled.
  virtual int64_t added_sublayers() const { return needs_final_norm() ? sublayers_of_stack() : 1; }
  int64_t sublayers_of_stack() const { return stack_.layers * static_cast<int64_t>(order_.size()); }

 private:
  SublayerOrder order_;
  StackShape stack_;
};

using PlacementPtr = std::unique_ptr<Placement>;
using MakePlacement = std::function<PlacementPtr(const PlacementOptions&)>;
const Table<MakePlacement>& placements();
using PlacementChoice = Choice<placements>;  // a name in the table, or a MakePlacement

// The weights of linear maps among these, which is what a placement draws anew: matrices whose role is weight, scores
// or writes_stream.
NamedTensors linear_maps(const NamedTensors& parameters);

}  // namespace gradus::nn
