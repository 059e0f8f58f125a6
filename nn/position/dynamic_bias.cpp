#include "nn/position/dynamic_bias.h"

#include "core/tensor/random.h"

namespace gradus::nn {
namespace {

constexpr int64_t kDeepest = 1000;

}  // namespace

DynamicPositionBias::DynamicPositionBias(const PositionOptions& o, const DynamicBiasOptions& bias)
    : PositionEncoding("DynamicPositionBias", o), log_distance_(bias.log_distance) {
  check<ValueError>(bias.hidden >= 2, "DynamicPositionBias: a norm needs at least 2 hidden values, got {}", bias.hidden);
  check<ValueError>(bias.depth >= 1 && bias.depth <= kDeepest, "DynamicPositionBias: needs from 1 to {} hidden layers, got {}", kDeepest,
                    bias.depth);
  for (int64_t layer = 0; layer < bias.depth; ++layer) {
    maps.emplace_back(layer == 0 ? 1 : bias.hidden, bias.hidden);
    norms.emplace_back(Shape{bias.hidden});
  }
  maps.emplace_back(bias.hidden, o.heads);
  maps[0].bias = uniform({bias.hidden}, -1, 1);
}

// #region pos-dynamic-bias
Tensor DynamicPositionBias::of_distances(const Tensor& distances) {
  const Tensor r = log_distance_ ? sign(distances) * log1p(abs(distances)) : distances;
  Tensor h = maps[0](unsqueeze(r, -1));
  for (std::size_t layer = 0; layer < norms.size(); ++layer) h = maps[layer + 1](relu(norms[layer](h)));
  return h;
}

Tensor DynamicPositionBias::on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double) {
  const Tensor distance = -offsets(q, k, positions);  // i - j, [T, S] or [B, T, S]
  check<ValueError>(maps.size() == norms.size() + 1, "DynamicPositionBias: {} norms need one map more, got {}", norms.size(), maps.size());
  if (distance.numel() == 0) return {};
  const double nearest = min(distance).item(), farthest = max(distance).item();
  const Tensor each = of_distances(arange(nearest, farthest + 1, 1, maps[0].weight.dtype()));
  return bias_of_heads(each, distance - nearest, q.dtype());
}
// #endregion pos-dynamic-bias

void DynamicPositionBias::members(Members& m) {
  for (std::size_t i = 0; i < maps.size(); ++i) {
    m.child(fmt::format("maps.{}", i), maps[i]);
    if (i < norms.size()) m.child(fmt::format("norms.{}", i), norms[i]);
  }
}

std::string DynamicPositionBias::describe() const {
  return fmt::format("DynamicPositionBias({}, depth {})", log_distance_ ? "log distance" : "distance", norms.size());
}

}  // namespace gradus::nn
