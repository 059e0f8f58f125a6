// Learning rate schedules: pure functions of the step.
#pragma once

#include <cstdint>

namespace gradus::optim {

struct CosineSchedule {
  double max_lr = 1e-3;
  double min_lr = 1e-4;
  std::int64_t warmup = 100;  // t_w, in steps
  std::int64_t total = 1000;  // t_c: min_lr from here on

  // ValueError for a negative rate, min_lr above max_lr, or a warm-up longer than the run.
  void check_options() const;

  // #region schedule-cosine
  //   t < t_w          max_lr t / t_w                                                     linear warm-up
  //   t_w <= t < t_c   min_lr + ½ (max_lr - min_lr) (1 + cos(π (t - t_w) / (t_c - t_w)))  half a cosine
  //   t >= t_c         min_lr
  // (Loshchilov and Hutter, 2017; warm-up: Goyal et al., 2017)
  double operator()(std::int64_t t) const;
  // #endregion schedule-cosine
};

}  // namespace gradus::optim
