// Learning rate schedules: pure functions of the step t, so that a checkpoint needs to hold nothing of them.
#pragma once

#include <cstdint>

#include "core/table.h"

namespace gradus::optim {

using std::int64_t;

struct ScheduleOptions {
  double max_lr = 1e-3;
  double min_lr = 1e-4;
  int64_t warmup = 100;       // t_w: steps of linear warm-up
  int64_t total = 1000;       // t_c: the end
  int64_t cycles = 3;         // n of cosine_restarts
  double cycle_growth = 2;    // ρ: each cycle is this many times as long as the one before
  double decay_share = 0.2;   // of warmup_stable_decay, "wsd": the part of the steps after the warm-up with a falling rate
  double power = 0.9;         // p of polynomial
  double decay_factor = 0.5;  // γ of exponential and step: what the rate is multiplied by …
  int64_t decay_every = 300;  // … in k steps
  double rise_share = 0.3;    // of one_cycle: the part of all steps with a rising rate
  double start_divisor = 25;  // of one_cycle: how many times the rate at its start lr_max is …
  double end_divisor = 1e4;   // … and how many times the rate at its end the start's is
};

// ValueError for a negative rate, min_lr above max_lr, a warm-up that is negative or longer than the run, no cycles,
// a growth or a divisor below 1, a share outside [0, 1], a power that is not positive, a decay_factor outside (0, 1], or
// a decay_every below 1.
void check_schedule(const ScheduleOptions& options);

// lr_max, whatever t.
double constant_schedule(const ScheduleOptions& options, int64_t t);

//   t < t_w          lr_max t / t_w        (Goyal et al., 2017)
//   t >= t_w         lr_max
double warmup_schedule(const ScheduleOptions& options, int64_t t);

// Each of the rest but one_cycle begins with the same warm-up, and those that fall to lr_min stay there from t_c on.

//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π (t - t_w) / (t_c - t_w)))        half a cosine
// (Loshchilov and Hutter, 2017)
double cosine_schedule(const ScheduleOptions& options, int64_t t);

// The same with n cycles between t_w and t_c, each ρ times as long as the one before; s steps into one of length T:
//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π s / T))        back to lr_max where a cycle begins
// (Loshchilov and Hutter, 2017). The first cycle has (t_c - t_w) / (1 + ρ + … + ρⁿ⁻¹) steps.
double cosine_restarts_schedule(const ScheduleOptions& options, int64_t t);

//   t_w <= t < t_c   lr_max + (lr_min - lr_max) (t - t_w) / (t_c - t_w)
double linear_schedule(const ScheduleOptions& options, int64_t t);

//   t >= t_w         lr_max √(t_w / t), a t_w of 0 counting as 1        (Vaswani et al., 2017)
// It knows no end: neither lr_min nor t_c plays a part.
double inverse_sqrt_schedule(const ScheduleOptions& options, int64_t t);

//   t_w <= t < t_d   lr_max, with t_d = t_c - decay_share (t_c - t_w)
//   t_d <= t < t_c   lr_max + (lr_min - lr_max) (t - t_d) / (t_c - t_d)        (Hu et al., 2024)
double warmup_stable_decay_schedule(const ScheduleOptions& options, int64_t t);

//   t_w <= t < t_c   lr_min + (lr_max - lr_min) (1 - (t - t_w) / (t_c - t_w))ᵖ        p = 1 is a line
// The default 0.9 is DeepLab's (Chen et al., 2018).
double polynomial_schedule(const ScheduleOptions& options, int64_t t);

// The next two know no end: neither lr_min nor t_c plays a part.

//   t >= t_w         lr_max γ^((t - t_w) / k)        γ per step for k = 1, as in PyTorch
double exponential_schedule(const ScheduleOptions& options, int64_t t);

//   t >= t_w         lr_max γ^⌊(t - t_w) / k⌋        γ every k steps (Krizhevsky, Sutskever and Hinton, 2012, by hand)
double step_schedule(const ScheduleOptions& options, int64_t t);

//   t < t_r          lr_0 + ½ (lr_max - lr_0) (1 - cos(π t / t_r))        with t_r = rise_share t_c, lr_0 = lr_max / start_divisor
//   t_r <= t < t_c   lr_e + ½ (lr_max - lr_e) (1 + cos(π (t - t_r) / (t_c - t_r)))        with lr_e = lr_0 / end_divisor
//   t >= t_c         lr_e
// One cycle is the whole run (Smith and Topin, 2018): the rise is its warm-up and lr_e its least rate; neither t_w nor
// lr_min plays a part. Two cosines are PyTorch's default, which spreads them over t_c + 1 steps, with the peak at
// rise_share (t_c + 1) - 1. The paper has lines, and three of them: down to lr_0 in as many steps as up, and then to lr_e.
double one_cycle_schedule(const ScheduleOptions& options, int64_t t);

using Schedule = double (*)(const ScheduleOptions& options, int64_t t);
const Table<Schedule>& schedules();

}  // namespace gradus::optim
