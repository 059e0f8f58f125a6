#include "nn/block/depth_placement.h"

#include "core/options/range.h"
#include "nn/activation/softmax.h"

namespace gradus::nn {
// #region block-attention-residual
Stream AttentionResidual::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor y = unsqueeze(f(norm(2 * i)(s.x)), -2);
  const int64_t below = stack().index * static_cast<int64_t>(order().size()) + static_cast<int64_t>(i);
  const Tensor before = streams_of(s, 1);
  const Tensor v =
      below % sublayers_per_source_ == 0 ? cat({before, y}, -2) : cat({slice(before, -2, 0, -1), slice(before, -2, -1) + y}, -2);
  const Tensor p = softmax(matmul(norm(2 * i + 1)(v), queries_[i]));  // [..., l + 1]
  return {squeeze(matmul(unsqueeze(p, -2), v), -2), v};
}
// #endregion block-attention-residual

AttentionResidual::AttentionResidual(const PlacementOptions& options, int64_t sublayers_per_source)
    : Placement(options, 2), sublayers_per_source_(check_size("the number of sublayers of a source", sublayers_per_source)) {
  for (std::size_t i = 0; i < order().size(); ++i) queries_.emplace_back(zeros({options.d_model}));
}

void AttentionResidual::members(Members& m) {
  Placement::members(m);
  for (std::size_t i = 0; i < queries_.size(); ++i) m.parameter(fmt::format("query{}", i + 1), queries_[i], Role::other);
}

// #region block-denseformer
Stream DenseFormer::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor x = s.x + f(norm(i)(s.x));
  if (i + 1 < order().size()) return {x, streams_of(s, 1)};
  const Tensor blocks = cat({streams_of(s, 1), unsqueeze(x, -2)}, -2);  // X₀ … X_l
  return {matmul(weights_, blocks), blocks};
}
// #endregion block-denseformer

DenseFormer::DenseFormer(const PlacementOptions& options) : Placement(options, 1) {
  weights_ = cast(arange(stack().index + 2) == stack().index + 1, DType::f32);
}

void DenseFormer::members(Members& m) {
  Placement::members(m);
  m.parameter("weights", weights_, Role::gain);
}

// #region block-input-residual
Stream InputResidual::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor first = s.second.defined() ? s.second : s.x;
  const Tensor x = i == 0 ? mix_[0] * s.x + mix_[1] * first : s.x;
  return {x + f(norm(i)(x)), first};
}
// #endregion block-input-residual

InputResidual::InputResidual(const PlacementOptions& options) : Placement(options, 1) { mix_ = tensor({1, 0}); }

void InputResidual::members(Members& m) {
  Placement::members(m);
  m.parameter("mix", mix_, Role::gain);
}

}  // namespace gradus::nn
