// Placements: how norms, sublayers and residual connections are put together. A placement is a value that a block is
// given: the block brings sublayers, the placement says what happens around them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/family.h"
#include "nn/module.h"

namespace gradus::nn {

// What flows from block to block: the residual stream, and for the few placements that keep one, a second beside it.
struct Stream {
  Tensor x;
  Tensor second = {};
};

// A sublayer as a placement sees it: f in x + f(x).
using Sublayer = std::function<Tensor(const Tensor&)>;

enum class SublayerKind { attention, cross_attention, feed_forward };

// The norms and gains of one block, and the order in which its sublayers run.
class Placement : public Module {
 public:
  // Which sublayers this block has, in order: those the model has (`usual`: attention, perhaps cross-attention,
  // feed-forward), unless the placement asks for others.
  virtual std::vector<SublayerKind> layout(const std::vector<SublayerKind>& usual) const { return usual; }

  // Runs the sublayers, as many as layout() named.
  virtual Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) = 0;

  // Does the stack end with a norm of its own, because the stream is never normalised?
  virtual bool needs_final_norm() const { return true; }
  // What the stack hands on after its last block; `final_norm` is null where none is needed.
  virtual Tensor finish(const Stream& stream, Layer* final_norm) const {
    return final_norm != nullptr ? (*final_norm)(stream.x) : stream.x;
  }
};

struct PlacementOptions {
  std::function<LayerPtr()> make_norm;  // a new norm over the stream
  int64_t d_model;
  int64_t layers;     // of the whole stack
  int64_t sublayers;  // norms needed: how many layout() will name
};

using PlacementPtr = std::unique_ptr<Placement>;
using MakePlacement = std::function<PlacementPtr(const PlacementOptions&)>;
const Family<MakePlacement>& placements();

}  // namespace gradus::nn
