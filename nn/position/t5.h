// T5's relative bias (Raffel et al., 2020): a learned number for each head and bucket of distances.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct T5Options {
  int64_t buckets = 32;         // even, and at least 4 (ValueError)
  int64_t max_distance = 128;   // bucket n would begin here; the last, n - 1, begins at 113 if causal, else at 91
};

// The bucket of each distance j - i. One side has n buckets: all of them if causal, where later keys fall into bucket
// 0; else one half for the past and one for the future. On a side the distances 0 … n/2 - 1 have a bucket each, those
// above n/2 + ⌊log(distance / (n/2)) / log(max_distance / (n/2)) · n/2⌋, at most n - 1.
Tensor t5_buckets(const Tensor& offsets, bool causal, const T5Options& options = {});

// score + weight[bucket(j - i), h], weight [buckets, H], which all layers share, as in the paper. T5 itself does not divide
// q · k by √d: set AttentionOptions' scale to 1 for that.
class T5Position : public PositionEncoding {
 public:
  explicit T5Position(const PositionOptions& options, const T5Options& t5 = {});

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override;

  Parameter weight;

 private:
  T5Options options_;
  bool causal_;
};

}  // namespace gradus::nn
