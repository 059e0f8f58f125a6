// A learned encoding: one trained row for each position, added to the embedding (Gehring et al., 2017; Devlin et al.,
// 2019).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// y_p = x_p + E_p; the gradient of a row is the sum over all samples. weight [max_length, d_model].
class LearnedPosition : public PositionEncoding {
 public:
  explicit LearnedPosition(const PositionOptions& options);  // rows N(0, 0.02²)

  Tensor on_embedding(const Tensor& x, const Tensor& positions) override;  // ValueError for a place past the last row
  // Adds `rows` random rows, to be trained on: the only way to longer sequences. ValueError unless positive. An
  // optimizer has to be made anew.
  void extend(int64_t rows);
  void members(Members& m) override { m.parameter("weight", weight, Role::table); }
  std::string describe() const override;

  Parameter weight;
};

}  // namespace gradus::nn
