#include "nn/block/scaled_residual.h"

#include <cmath>

#include "core/options/range.h"

namespace gradus::nn {

// #region block-residual
Stream Residual::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + branch(i, s.x, f)}; }
// #endregion block-residual

ResidualScale::ResidualScale(const PlacementOptions& options, BranchNorm branch, double scale)
    : ScaledResidual(options, branch),
      scale_(scale != 0 ? check_range("the scale", scale, range::finite) : 1 / std::sqrt(static_cast<double>(sublayers_of_stack()))) {}

// #region block-residual-scale
Stream ResidualScale::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + scale_ * branch(i, s.x, f)}; }
// #endregion block-residual-scale

// #region block-orthogonal
Stream OrthogonalResidual::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor y = branch(i, s.x, f);
  const Tensor share = sum(s.x * y, -1, true) / (sum(square(s.x), -1, true) + 1e-6);  // of x in y
  return {s.x + y - share * s.x};
}
// #endregion block-orthogonal

LearnedScale::LearnedScale(const PlacementOptions& options, BranchNorm branch, const Tensor& start) : ScaledResidual(options, branch) {
  for (std::size_t i = 0; i < order().size(); ++i) scales_.push_back(start.detached_copy());
}

void LearnedScale::members(Members& m) {
  ScaledResidual::members(m);
  for (std::size_t i = 0; i < scales_.size(); ++i) m.parameter(fmt::format("scale{}", i + 1), scales_[i], Role::gain);
}

// #region block-rezero
Stream ReZero::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + scale(i) * branch(i, s.x, f)}; }
// #endregion block-rezero

// #region block-layerscale
double layer_scale_start(int64_t layers) { return layers <= 18 ? 0.1 : layers <= 24 ? 1e-5 : 1e-6; }

LayerScale::LayerScale(const PlacementOptions& options, BranchNorm branch)
    : LearnedScale(options, branch, full({options.d_model}, layer_scale_start(options.stack.layers))) {}

Stream LayerScale::step(std::size_t i, const Stream& s, const Sublayer& f) { return {s.x + scale(i) * branch(i, s.x, f)}; }
// #endregion block-layerscale

}  // namespace gradus::nn
