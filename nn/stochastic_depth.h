// Stochastic depth: in training a sublayer's whole result is sometimes dropped, which leaves the residual connection around
// it (Huang et al., 2016).
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

//   y = m x / (1 - p)      dL/dx = m dL/dy / (1 - p)
// where m is 1 with probability 1 - p, else 0, for each sample x[b]. The paper has one m for the whole batch, and m x in
// training with (1 - p) x in use, of the same mean. ValueError unless 0 <= p < 1.
Tensor stochastic_depth(const Tensor& x, double p);

// The p of block `index`, from 0, of `layers` blocks: p (index + 1) / layers if it grows, so that the early blocks, which all
// others read, are hardly dropped; else p. ValueError unless 0 <= p < 1 and 0 <= index < layers.
double stochastic_depth_rate(double p, int64_t index, int64_t layers, bool grows);

// stochastic_depth(x, p) in training, otherwise x itself.
class StochasticDepth : public Layer {
 public:
  explicit StochasticDepth(double p);  // ValueError unless 0 <= p < 1

  void members(Members&) override {}
  std::string describe() const override { return fmt::format("StochasticDepth({:.4g})", p_); }

 private:
  Tensor forward(const Tensor& x) override { return training() ? stochastic_depth(x, p_) : x; }

  double p_;
};

}  // namespace gradus::nn
