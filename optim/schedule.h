// Learning rate schedules: pure functions of the step t, so that a checkpoint holds nothing of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/options/table.h"

namespace gradus::optim {

using std::int64_t;

// The options of all schedules; each reads those that its formula names.
struct ScheduleOptions {
  double max_lr = 1e-3;       // lr_max: the highest rate
  double min_lr = 1e-4;       // lr_min: the rate at the end, for those that fall to it
  int64_t warmup = 100;       // t_w: steps of linear warm-up
  int64_t total = 1000;       // t_c: the step at which the schedule ends
  int64_t cycles = 3;         // n of cosine_restarts
  double cycle_growth = 2;    // ρ: each cycle is this many times as long as the one before
  double decay_share = 0.2;   // of warmup_stable_decay: the part of the steps after the warm-up with a falling rate
  double power = 0.9;         // p of polynomial
  double decay_factor = 0.5;  // γ of exponential and step: what k steps multiply the rate by
  int64_t decay_every = 300;  // k of both
  double rise_share = 0.3;    // of one_cycle: the part of all steps with a rising rate
  double start_divisor = 25;  // of one_cycle: lr_max as a multiple of lr_0, the rate at its start
  double end_divisor = 1e4;   // of one_cycle: lr_0 as a multiple of lr_e, the rate at its end
};

// ValueError for a number that is not finite, a negative rate, min_lr above max_lr, a warm-up that is negative or longer than
// the run, no cycles or more than a million, a growth or a divisor below 1, a share outside [0, 1], a power that is not
// positive, a decay_factor outside (0, 1], or a decay_every below 1. So does each schedule, also for a negative step; those
// that do not read both t_w and t_c do not compare them.
void check_schedule(const ScheduleOptions& options);

// lr_max, whatever t.
double constant_schedule(const ScheduleOptions& options, int64_t t);

// A line from 0 to lr_max (Goyal et al., 2017), which then stays:
//   t < t_w          lr_max t / t_w
//   t >= t_w         lr_max
double warmup_schedule(const ScheduleOptions& options, int64_t t);

// Each of the rest but one_cycle begins with this warm-up. Those that fall to lr_min stay there from t_c on; the others read
// neither lr_min nor t_c.

// Half a cosine from lr_max to lr_min (Loshchilov and Hutter, 2017):
//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π (t - t_w) / (t_c - t_w)))
double cosine_schedule(const ScheduleOptions& options, int64_t t);

// n half cosines, each ρ times as long as the one before (Loshchilov and Hutter, 2017). s steps into one of length T:
//   t_w <= t < t_c   lr_min + ½ (lr_max - lr_min) (1 + cos(π s / T))        back to lr_max where a cycle begins
// The first cycle has (t_c - t_w) / (1 + ρ + … + ρⁿ⁻¹) steps.
double cosine_restarts_schedule(const ScheduleOptions& options, int64_t t);

// A line from lr_max to lr_min:
//   t_w <= t < t_c   lr_max + (lr_min - lr_max) (t - t_w) / (t_c - t_w)
double linear_schedule(const ScheduleOptions& options, int64_t t);

// A fall as 1/√t (Vaswani et al., 2017); a t_w of 0 counts as 1:
//   t >= t_w         lr_max √(t_w / t)
double inverse_sqrt_schedule(const ScheduleOptions& options, int64_t t);

// The full rate, and a line to lr_min at the end (Hu et al., 2024):
//   t_w <= t < t_d   lr_max, with t_d = t_c - decay_share (t_c - t_w)
//   t_d <= t < t_c   lr_max + (lr_min - lr_max) (t - t_d) / (t_c - t_d)
double warmup_stable_decay_schedule(const ScheduleOptions& options, int64_t t);

// The p-th power of a line to lr_min; p = 0.9 is DeepLab's (Chen et al., 2018):
//   t_w <= t < t_c   lr_min + (lr_max - lr_min) (1 - (t - t_w) / (t_c - t_w))ᵖ
double polynomial_schedule(const ScheduleOptions& options, int64_t t);

// A fall by the factor γ in every k steps; k = 1 is PyTorch's:
//   t >= t_w         lr_max γ^((t - t_w) / k)
double exponential_schedule(const ScheduleOptions& options, int64_t t);

// A fall by the factor γ at once, every k steps (Krizhevsky, Sutskever and Hinton, 2012, by hand):
//   t >= t_w         lr_max γ^⌊(t - t_w) / k⌋
double step_schedule(const ScheduleOptions& options, int64_t t);

// A fall by the factor γ at once, at each of the milestones, which are steps t in rising order (ValueError). It takes
// one argument more than the others, so it has no name in the table:
//   t >= t_w         lr_max γⁿ, n milestones being at or before t
double multi_step_schedule(const ScheduleOptions& options, const std::vector<int64_t>& milestones, int64_t t);

// One rise and one fall over the whole run (Smith and Topin, 2018):
//   t < t_r          lr_0 + ½ (lr_max - lr_0) (1 - cos(π t / t_r))
//   t_r <= t < t_c   lr_e + ½ (lr_max - lr_e) (1 + cos(π (t - t_r) / (t_c - t_r)))
//   t >= t_c         lr_e
// with t_r = rise_share t_c, lr_0 = lr_max / start_divisor and lr_e = lr_0 / end_divisor. It reads neither t_w nor lr_min.
// Two cosines are PyTorch's default; the paper has three lines: up, down to lr_0 in as many steps, and then to lr_e.
double one_cycle_schedule(const ScheduleOptions& options, int64_t t);

// All schedules by name: the learning rate at step t.
using Schedule = double (*)(const ScheduleOptions& options, int64_t t);
const Table<Schedule>& schedules();

}  // namespace gradus::optim
