#include "nn/block/norm_placement.h"

#include <cmath>

namespace gradus::nn {

// #region block-pre
Stream PreNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + f(norm(i)(s.x))}; }
// #endregion block-pre

// #region block-post
Stream PostNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {norm(i)(s.x + f(s.x))}; }
// #endregion block-post

// #region block-sandwich
Stream SandwichNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + norm(2 * i + 1)(f(norm(2 * i)(s.x)))}; }
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

// #region block-parallel
Stream Parallel::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor n = i == 0 ? (*norm_)(s.x) : s.second;  // all sublayers read the same
  const bool is_last = i + 1 == order().size();
  return {s.x + f(n), is_last ? Tensor() : n};
}
// #endregion block-parallel

// #region block-normformer
Stream NormFormer::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor y = f(norm(i)(s.x));
  return {s.x + (output_norms_[i] != nullptr ? (*output_norms_[i])(y) : y)};
}
// #endregion block-normformer

// #region block-highway
Stream HighwayNorm::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const auto alpha = static_cast<double>(sublayers_of_stack());
  return {norm(2 * i + 1)(alpha * s.x + f(norm(2 * i)(s.x)))};
}
// #endregion block-highway

// #region block-mix
Stream MixNorm::step(std::size_t i, const Stream& s, const Sublayer& f) { return {post_ ? norm(i)(s.x + f(s.x)) : s.x + f(norm(i)(s.x))}; }
// #endregion block-mix

// #region block-depth-scaled-norm
Stream DepthScaledNorm::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const double depth = static_cast<double>(stack().index) + 1;
  return {s.x + f(norm(i)(s.x) / std::sqrt(depth))};
}
// #endregion block-depth-scaled-norm

// #region block-hybrid
Stream HybridNorm::step(std::size_t i, const Stream& s, const Sublayer& f) {
  if (stream_norms_[i] == nullptr) return {s.x + f(s.x)};
  const Tensor n = (*stream_norms_[i])(s.x);
  return {(pre_ ? s.x : n) + f(n)};
}
// #endregion block-hybrid

// #region block-resi-dual
Stream ResiDual::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor z = s.second.defined() ? s.second : s.x, y = f(s.x);
  return {norm(i)(s.x + y), z + y};
}

Tensor ResiDual::finish(const Stream& stream, Layer* final_norm) const {
  check<ValueError>(final_norm != nullptr, "ResiDual: the second stream needs a final norm, got nullptr");
  return stream.x + (*final_norm)(stream.second);
}
// #endregion block-resi-dual

namespace {

PlacementOptions with_feed_forward_first(PlacementOptions options) {
  options.sublayers.insert(options.sublayers.begin(), SublayerKind::feed_forward);
  return options;
}

}  // namespace

Macaron::Macaron(const PlacementOptions& options) : Placement(with_feed_forward_first(options), 1) {}

HybridNorm::HybridNorm(const PlacementOptions& options, bool first_is_pre) : Placement(options), pre_(first_is_pre && stack().index == 0) {
  for (SublayerKind kind : order()) stream_norms_.push_back(pre_ || kind == SublayerKind::feed_forward ? options.new_norm() : nullptr);
}

void HybridNorm::members(Members& m) {
  for (std::size_t i = 0; i < stream_norms_.size(); ++i) {
    if (stream_norms_[i] != nullptr) m.child(fmt::format("norm{}", i + 1), *stream_norms_[i]);
  }
}

NormFormer::NormFormer(const PlacementOptions& options) : Placement(options, 1) {
  for (SublayerKind kind : order()) {
    output_norms_.push_back(kind == SublayerKind::feed_forward ? nullptr : options.new_norm());
  }
}

void NormFormer::members(Members& m) {
  Placement::members(m);
  for (std::size_t i = 0; i < output_norms_.size(); ++i) {
    if (output_norms_[i] != nullptr) m.child(fmt::format("output_norm{}", i + 1), *output_norms_[i]);
  }
}

}  // namespace gradus::nn
