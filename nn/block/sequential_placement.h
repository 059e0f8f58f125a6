// SequentialPlacement: sublayers one after the other, each with its own norms around it.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// A placement of this kind is one line: what one step makes of x, and its gradient is that of its ops.
class SequentialPlacement : public Placement {
 public:
  void members(Members& m) override;

 protected:
  // Makes norms for every sublayer: "norm1", "norm2", … in the order of the sublayers.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer);
  // The same over another order than the model's.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer, SublayerOrder order);

  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) final;
  virtual Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) = 0;  // the i-th sublayer

  Tensor norm(std::size_t i, const Tensor& x) { return (*norms_[i])(x); }

 private:
  std::vector<LayerPtr> norms_;
};

}  // namespace gradus::nn
