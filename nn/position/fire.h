// FIRE: functional interpolation for relative positions (Li et al., 2024): a small network reads the distance as a
// share of the query's own position, which stays in [0, 1] however long the sequence.
#pragma once

#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct FireOptions {
  int64_t hidden = 32;
  double threshold = 512;  // L at the start: nearer to the beginning than this, distances are not normalised
};

//   score + f(ψ(|i - j|) / ψ(max(L, i)))_h,  ψ(x) = log(|c| x + 1)
// f: 1 → hidden → heads with a ReLU between. c, from 0.1, and L, by a factor on the threshold, are learned. Each layer
// has its own; the paper's FIRE-S is the one that all layers share.
class FirePosition : public PositionEncoding {
 public:
  explicit FirePosition(const PositionOptions& options, const FireOptions& fire = {});  // ValueError unless both positive

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("FirePosition(threshold {})", threshold_); }

  Linear inner, outer;
  Parameter c, factor;  // scalars

 private:
  double threshold_;
};

}  // namespace gradus::nn
