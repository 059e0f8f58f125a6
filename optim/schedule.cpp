#include "optim/schedule.h"

#include <algorithm>
#include <cmath>

namespace gradus::optim {
namespace {

double real(int64_t steps) { return static_cast<double>(steps); }

// From lr_max at progress 0 to lr_min at 1.
double half_cosine(const ScheduleOptions& o, double progress) {
  constexpr double pi = 3.14159265358979323846;
  return o.min_lr + 0.5 * (o.max_lr - o.min_lr) * (1 + std::cos(pi * progress));
}
double straight_line(const ScheduleOptions& o, double progress) {
  return o.max_lr + (o.min_lr - o.max_lr) * progress;
}

// The share of the way from the end of the warm-up to the end of the run.
double progress_at(const ScheduleOptions& o, int64_t t) { return real(t - o.warmup) / real(o.total - o.warmup); }

}  // namespace

void check_schedule(const ScheduleOptions& o) {
  check<ValueError>(o.min_lr >= 0 && o.min_lr <= o.max_lr, "schedule: needs 0 <= min_lr <= max_lr, got {} and {}",
                    o.min_lr, o.max_lr);
  check<ValueError>(o.warmup >= 0, "schedule: warmup must not be negative, got {}", o.warmup);
  check<ValueError>(o.warmup <= o.total, "schedule: warmup must not be longer than the run of {} steps, got {}",
                    o.total, o.warmup);
  check<ValueError>(o.cycles >= 1, "schedule: needs at least one cycle, got {}", o.cycles);
  check<ValueError>(o.cycle_growth >= 1,
                    "schedule: cycles cannot become shorter: cycle_growth must be at least 1, got {}",
                    o.cycle_growth);
  check<ValueError>(o.decay_share >= 0 && o.decay_share <= 1, "schedule: decay_share must be in [0, 1], got {}",
                    o.decay_share);
}

// #region schedule-constant
double constant_schedule(const ScheduleOptions& o, int64_t) { return o.max_lr; }
// #endregion schedule-constant

// #region schedule-warmup
double warmup_schedule(const ScheduleOptions& o, int64_t t) {
  return t < o.warmup ? o.max_lr * real(t) / real(o.warmup) : o.max_lr;
}
// #endregion schedule-warmup

// #region schedule-cosine
double cosine_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  return half_cosine(o, progress_at(o, t));
}
// #endregion schedule-cosine

// #region schedule-cosine-restarts
double cosine_restarts_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  double parts = 0;  // 1 + ρ + … + ρⁿ⁻¹
  for (int64_t i = 0; i < o.cycles; ++i) parts = 1 + o.cycle_growth * parts;
  double length = real(o.total - o.warmup) / parts, into = real(t - o.warmup);
  for (int64_t i = 1; i < o.cycles && into >= length; ++i) {
    into -= length;
    length *= o.cycle_growth;
  }
  return half_cosine(o, into / length);
}
// #endregion schedule-cosine-restarts

// #region schedule-linear
double linear_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  return straight_line(o, progress_at(o, t));
}
// #endregion schedule-linear

// #region schedule-inverse-sqrt
double inverse_sqrt_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  const int64_t from = std::max<int64_t>(o.warmup, 1);
  return o.max_lr * std::sqrt(real(from) / real(std::max(t, from)));
}
// #endregion schedule-inverse-sqrt

// #region schedule-wsd
double warmup_stable_decay_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  const double stable = 1 - o.decay_share, progress = progress_at(o, t);
  return progress <= stable ? o.max_lr : straight_line(o, (progress - stable) / o.decay_share);
}
// #endregion schedule-wsd

const Table<Schedule>& schedules() {
  static const Table<Schedule> family{"schedule",
                                       {
                                           {"constant", "schedule-constant", constant_schedule},
                                           {"warmup", "schedule-warmup", warmup_schedule},
                                           {"cosine", "schedule-cosine", cosine_schedule},
                                           {"cosine-restarts", "schedule-cosine-restarts", cosine_restarts_schedule},
                                           {"linear", "schedule-linear", linear_schedule},
                                           {"inverse-sqrt", "schedule-inverse-sqrt", inverse_sqrt_schedule},
                                           {"wsd", "schedule-wsd", warmup_stable_decay_schedule},
                                       }};
  return family;
}

}  // namespace gradus::optim
