// Stochastic depth: in training a sublayer's result is sometimes dropped as a whole, and only the residual connection
// around it is left; in use all sublayers work (Huang et al., 2016).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// What is dropped or kept as a whole.
enum class DropUnit {
  sample,  // each sample of the batch is dropped or kept by itself
  batch,   // the whole batch at once, as in the paper
};

//   y = m x / (1 - p)      dL/dx = m dL/dy / (1 - p)
// where m is 1 with probability 1 - p, else 0: one number for each sample x[b], or one for all. ValueError unless
// 0 <= p < 1. The paper has m x in training and (1 - p) x in use, which has the same mean.
Tensor stochastic_depth(const Tensor& x, double p, DropUnit unit = DropUnit::sample);

// The p of block `index`, from 0, of `layers` blocks. If it grows, it is p (index + 1) / layers, so that the early blocks,
// which all others read, are hardly dropped; else it is p for all. ValueError unless 0 <= p < 1 and 0 <= index < layers.
double stochastic_depth_rate(double p, int64_t index, int64_t layers, bool grows);

// stochastic_depth(x, p, unit) in training, otherwise x itself.
class StochasticDepth : public Layer {
 public:
  explicit StochasticDepth(double p, DropUnit unit = DropUnit::sample);  // ValueError unless 0 <= p < 1

  void members(Members&) override {}
  std::string describe() const override { return fmt::format("StochasticDepth({:.4g})", p_); }

 private:
  Tensor forward(const Tensor& x) override { return training() ? stochastic_depth(x, p_, unit_) : x; }

  double p_;
  DropUnit unit_;
};

}  // namespace gradus::nn
