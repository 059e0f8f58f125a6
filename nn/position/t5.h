// T5's relative bias (Raffel et al., 2020): a learned number for each head and bucket of distances.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct T5Options {
  int64_t buckets = 32;        // even, and at least 4
  int64_t max_distance = 128;  // above buckets / 2; from about here all distances share the last bucket
};

// The bucket of each offset j - i of a key j from a query i. If causal, the past has all n = buckets, and later keys fall
// into bucket 0; otherwise the past has the first n = buckets / 2 and the future the others. On each side the distances
// 0 … e - 1, with e = ⌊n/2⌋, have a bucket each; a longer one is in bucket
//   min(n - 1, e + ⌊log(distance / e) / log(max_distance / e) · (n - e)⌋)
// ValueError for options that T5Position refuses, DTypeError unless offsets are i64.
Tensor t5_buckets(const Tensor& offsets, bool causal, const T5Options& options = {});

// Adds weight[bucket, h] to the score of query i and key j in head h, with the bucket of j - i by t5_buckets. All layers
// share the weight, as in the paper. T5 itself does not divide q · k by √d: for that, set AttentionOptions::scale to 1.
class T5Position : public PositionEncoding {
 public:
  // ValueError unless buckets is even and at least 4, and max_distance > buckets / 2.
  explicit T5Position(const PositionOptions& options, const T5Options& t5 = {});

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override;

  Parameter weight;  // [buckets, heads], starts N(0, 0.02²)

 private:
  T5Options t5_;
  bool causal_;
};

}  // namespace gradus::nn
