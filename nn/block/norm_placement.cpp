#include "nn/block/norm_placement.h"

namespace gradus::nn {

// #region block-pre
Stream PreNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + f(norm(i)(s.x))}; }
// #endregion block-pre

// #region block-post
Stream PostNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {norm(i)(s.x + f(s.x))}; }
// #endregion block-post

// #region block-sandwich
Stream SandwichNorm::step(std::size_t i, const Stream& s, const Sublayer& f) {
  return {s.x + norm(2 * i + 1)(f(norm(2 * i)(s.x)))};
}
// #endregion block-sandwich

// #region block-output-norm
Stream OutputNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + norm(i)(f(s.x))}; }
// #endregion block-output-norm

// #region block-macaron
Stream Macaron::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const double size = order()[i] == SublayerKind::feed_forward ? 0.5 : 1;
  return {s.x + size * f(norm(i)(s.x))};
}
// #endregion block-macaron

namespace {

PlacementOptions with_feed_forward_first(PlacementOptions options) {
  options.sublayers.insert(options.sublayers.begin(), SublayerKind::feed_forward);
  return options;
}

}  // namespace

Macaron::Macaron(const PlacementOptions& options) : Placement(with_feed_forward_first(options), 1) {}

}  // namespace gradus::nn
