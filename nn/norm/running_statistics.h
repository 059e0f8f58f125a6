// Running statistics: the mean and variance that batch and instance norm collect in training and use in eval.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// What `momentum` is the share of.
enum class MomentumConvention {
  of_new,  // running ← (1 - m) running + m new: PyTorch's, 0.1 by habit
  of_old,  // running ← m running + (1 - m) new: Keras', 0.99 by habit
};

struct RunningOptions {
  double momentum = 0.1;
  MomentumConvention sense = MomentumConvention::of_new;
  bool unbiased_variance = true;  // the batch's variance is collected with n - 1, though it divides with n
};

// One value per channel, in the module's dtype: after to(DType::f16) a variance beyond 65504 is stored as ∞; eval gives β.
// A part of a module, which names the buffers among its own members.
class RunningStatistics {
 public:
  // The mean starts at 0, the variance at 1. ValueError, naming `type`, unless momentum is in [0, 1].
  RunningStatistics(const char* type, int64_t channels, const RunningOptions& options);

  // Takes in x's statistics over `axes`; any axes left besides the channel axis are averaged out.
  void update(const Tensor& x, const Axes& axes);
  void members(Members& m);

  Tensor mean, variance;  // [C]
  Tensor batches;         // i64, []: how many updates there were

 private:
  void move(Tensor& running, const Tensor& fresh) const;

  RunningOptions options_;
};

}  // namespace gradus::nn
