// Running statistics: the mean and variance that batch and instance norm collect in training and use in eval.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// Whether the momentum m is the share of the new value or of the old one.
enum class MomentumConvention {
  of_new,  // running ← (1 - m) running + m new: PyTorch's, whose m is usually 0.1
  of_old,  // running ← m running + (1 - m) new: Keras', whose m is usually 0.99
};

struct RunningOptions {
  double momentum = 0.1;
  MomentumConvention sense = MomentumConvention::of_new;
  bool unbiased_variance = true;  // collects the variance with divisor n - 1, though training normalises with n
};

// The running mean and variance of each channel, in the module's dtype. In f16 a variance beyond 65504 is ∞, and eval gives β.
class RunningStatistics {
 public:
  // The mean starts at 0, the variance at 1. ValueError that names `type` unless momentum is in [0, 1].
  RunningStatistics(const char* type, int64_t channels, const RunningOptions& options);

  // Moves both towards x's mean and variance over `axes`, averaged over the samples if those are not among the axes.
  void update(const Tensor& x, const Axes& axes);
  void members(Members& m);

  Tensor mean, variance;  // [C]
  Tensor batches;         // i64, []: how many updates there were

 private:
  Tensor moved(const Tensor& running, const Tensor& fresh) const;

  RunningOptions options_;
};

}  // namespace gradus::nn
