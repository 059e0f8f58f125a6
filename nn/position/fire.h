// FIRE: a small network reads the distance as a share, in [0, 1], of the query's position (Li et al., 2024).
#pragma once

#include "nn/linear.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct FireOptions {
  int64_t hidden = 32;     // the width of the network's one hidden layer
  double threshold = 512;  // where L starts: queries at positions below L are normalised by L
};

// Adds f(s)_h to the scaled score of query i and key j in head h, with s the distance as a share of the query's position:
//   s = ψ(|i - j|) / ψ(max(L, i))      ψ(x) = log(|c| x + 1)
// f: 1 → hidden → heads is a network with one ReLU. c, which starts at 0.1, and L = |factor| · threshold, whose factor starts
// at 1, are learned. c = 0 makes each s 0/0, factor = 0 those of query 0. Each layer has its own f, c and L; in the paper's
// FIRE-S all layers share them.
class FirePosition : public PositionEncoding {
 public:
  // ValueError unless hidden and threshold are positive, and threshold finite.
  explicit FirePosition(const PositionOptions& options, const FireOptions& fire = {});

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("FirePosition(threshold {})", threshold_); }

  Linear inner, outer;  // f
  Parameter c, factor;  // of shape []

 private:
  double threshold_;
};

}  // namespace gradus::nn
