#include "nn/block/sequential_placement.h"

namespace gradus::nn {
namespace {

SublayerOrder feed_forward_first(SublayerOrder order) {
  order.insert(order.begin(), SublayerKind::feed_forward);
  return order;
}

}  // namespace

// #region block-pre
Tensor PreNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return x + f(norm(i, x)); }
// #endregion block-pre

// #region block-post
Tensor PostNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return norm(i, x + f(x)); }
// #endregion block-post

// #region block-sandwich
Tensor SandwichNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) {
  return x + norm(2 * i + 1, f(norm(2 * i, x)));
}
// #endregion block-sandwich

// #region block-output-norm
Tensor OutputNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return x + norm(i, f(x)); }
// #endregion block-output-norm

// #region block-macaron
Tensor Macaron::step(std::size_t i, const Tensor& x, const Sublayer& f) {
  const double size = order()[i] == SublayerKind::feed_forward ? 0.5 : 1;
  return x + size * f(norm(i, x));
}
// #endregion block-macaron

Macaron::Macaron(const PlacementOptions& options)
    : SequentialPlacement(options, 1, feed_forward_first(options.sublayers)) {}

SequentialPlacement::SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer)
    : SequentialPlacement(options, norms_per_sublayer, options.sublayers) {}

SequentialPlacement::SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer,
                                         SublayerOrder order)
    : Placement(options) {
  set_order(std::move(order));
  for (std::size_t i = 0; i < norms_per_sublayer * this->order().size(); ++i) norms_.push_back(options.new_norm());
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
