// Learning rate schedules: pure functions of the step t, so that a checkpoint needs to hold nothing of them.
#pragma once

#include <cstdint>

#include "core/table.h"

namespace gradus::optim {

using std::int64_t;

struct ScheduleOptions {
  double max_lr = 1e-3;
  double min_lr = 1e-4;
  int64_t warmup = 100;     // t_w: steps of linear warm-up
  int64_t total = 1000;     // t_c: the end
  int64_t cycles = 3;       // of cosine_restarts
  double cycle_growth = 2;  // each cycle is this many times as long as the one before
  double decay_share = 0.2;  // of warmup_stable_decay: the part of the steps after the warm-up with a falling rate
};

// ValueError for a negative rate, min_lr above max_lr, a warm-up that is negative or longer than the run, no cycles,
// a growth below 1, or a share outside [0, 1].
void check_schedule(const ScheduleOptions& options);

// lr_max, whatever t.
double constant_schedule(const ScheduleOptions& options, int64_t t);

//   t < t_w          lr_max t / t_w        (Goyal et al., 2017)
//   t >= t_w         lr_max
double warmup_schedule(const ScheduleOptions& options, int64_t t);

// Each of the rest begins with the same warm-up, and those that fall to lr_min stay there from t_c on.

//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π (t - t_w) / (t_c - t_w)))        half a cosine
//   (Loshchilov and Hutter, 2017)
double cosine_schedule(const ScheduleOptions& options, int64_t t);

//   The same with n cycles between t_w and t_c, each ρ times as long as the one before; s steps into one of length T:
//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π s / T))        back to lr_max where a cycle begins
//   (Loshchilov and Hutter, 2017). The first cycle has (t_c - t_w) / (1 + ρ + … + ρⁿ⁻¹) steps.
double cosine_restarts_schedule(const ScheduleOptions& options, int64_t t);

//   t_w <= t < t_c   lr_max + (lr_min - lr_max) (t - t_w) / (t_c - t_w)
double linear_schedule(const ScheduleOptions& options, int64_t t);

//   t >= t_w         lr_max √(t_w / t), a t_w of 0 counting as 1        (Vaswani et al., 2017)
// It knows no end: neither lr_min nor t_c plays a part.
double inverse_sqrt_schedule(const ScheduleOptions& options, int64_t t);

//   t_w <= t < t_d   lr_max, with t_d = t_c - share (t_c - t_w)
//   t_d <= t < t_c   lr_max + (lr_min - lr_max) (t - t_d) / (t_c - t_d)        (Hu et al., 2024)
double warmup_stable_decay_schedule(const ScheduleOptions& options, int64_t t);

using Schedule = double (*)(const ScheduleOptions& options, int64_t t);
const Table<Schedule>& schedules();

}  // namespace gradus::optim
