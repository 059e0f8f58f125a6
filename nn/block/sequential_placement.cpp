#include "nn/block/sequential_placement.h"

namespace gradus::nn {

SequentialPlacement::SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer)
    : SequentialPlacement(options, norms_per_sublayer, options.sublayers) {}

SequentialPlacement::SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer, SublayerOrder order)
    : Placement(options) {
  set_order(std::move(order));
  for (std::size_t i = 0; i < norms_per_sublayer * this->order().size(); ++i) norms_.push_back(options.make_norm());
}

Stream SequentialPlacement::forward(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  Tensor x = stream.x;
  for (std::size_t i = 0; i < sublayers.size(); ++i) x = step(i, x, sublayers[i]);
  return {x};
}

void SequentialPlacement::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), *norms_[i]);
}

}  // namespace gradus::nn
