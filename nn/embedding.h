// Embedding: a trained row of numbers for each id.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// From ids [...] (i64) to rows [..., width] of the weight [count, width]. A row's gradient is the sum over all positions of
// its id. DTypeError unless ids are i64, ValueError for an id out of range.
class Embedding : public Layer {
 public:
  // The weight starts N(0, std²). ValueError unless both sizes are positive, and std finite and not negative.
  Embedding(int64_t count, int64_t width, double std = 0.02);

  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;

 private:
  Tensor forward(const Tensor& ids) override;
  void check_ids(const Tensor& ids) const;
};

}  // namespace gradus::nn
