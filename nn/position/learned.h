// A learned encoding: a trained row for each position, added to the embedding (Gehring et al., 2017; Devlin et al., 2019).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// Adds row p of a trained table E to the embedding x at position p; the row's gradient is the sum over all samples:
//   y_p = x_p + E_p
class LearnedPosition : public PositionEncoding {
 public:
  explicit LearnedPosition(const PositionOptions& options);  // all rows start N(0, 0.02²)

  Tensor on_embedding(const Tensor& x, const Tensor& positions) override;  // ValueError for a position past the last row
  // Adds `rows` untrained rows, for longer sequences; build the optimizer again. ValueError unless `rows` is positive.
  void extend(int64_t rows);
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override;

  Parameter weight;  // E, [max_length, d_model]
};

}  // namespace gradus::nn
