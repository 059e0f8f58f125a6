#include "nn/block/macaron.h"

namespace gradus::nn {
namespace {

SublayerOrder feed_forward_first(SublayerOrder order) {
  order.insert(order.begin(), SublayerKind::feed_forward);
  return order;
}

}  // namespace

Macaron::Macaron(const PlacementOptions& options)
    : SequentialPlacement(options, 1, feed_forward_first(options.sublayers)) {}

// #region block-macaron
Tensor Macaron::step(std::size_t i, const Tensor& x, const Sublayer& f) {
  const double size = order()[i] == SublayerKind::feed_forward ? 0.5 : 1;
  return x + size * f(norm(i, x));
}
// #endregion block-macaron

}  // namespace gradus::nn
