#include "optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus::optim {
namespace {

double real(int64_t steps) { return static_cast<double>(steps); }

// From `from` at progress 0 to `to` at 1.
double half_cosine(double from, double to, double progress) {
  constexpr double pi = 3.14159265358979323846;
  return to + 0.5 * (from - to) * (1 + std::cos(pi * progress));
}
double straight_line(double from, double to, double progress) { return from + (to - from) * progress; }

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
  for (const auto& [name, share] : {std::pair{"decay_share", o.decay_share}, {"rise_share", o.rise_share}}) {
    check<ValueError>(share >= 0 && share <= 1, "schedule: {} must be in [0, 1], got {}", name, share);
  }
  check<ValueError>(o.power > 0, "schedule: power must be positive, got {}", o.power);
  check<ValueError>(o.decay_factor > 0 && o.decay_factor <= 1, "schedule: decay_factor must be in (0, 1], got {}",
                    o.decay_factor);
  check<ValueError>(o.decay_every >= 1, "schedule: decay_every must be at least 1, got {}", o.decay_every);
  for (const auto& [name, divisor] : {std::pair{"start_divisor", o.start_divisor}, {"end_divisor", o.end_divisor}}) {
    check<ValueError>(divisor >= 1, "schedule: {} must be at least 1, got {}", name, divisor);
  }
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
  return half_cosine(o.max_lr, o.min_lr, progress_at(o, t));
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
  return half_cosine(o.max_lr, o.min_lr, into / length);
}
// #endregion schedule-cosine-restarts

// #region schedule-linear
double linear_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  return straight_line(o.max_lr, o.min_lr, progress_at(o, t));
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
  return progress <= stable ? o.max_lr : straight_line(o.max_lr, o.min_lr, (progress - stable) / o.decay_share);
}
// #endregion schedule-wsd

// #region schedule-polynomial
double polynomial_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  return o.min_lr + (o.max_lr - o.min_lr) * std::pow(1 - progress_at(o, t), o.power);
}
// #endregion schedule-polynomial

// #region schedule-exponential
double exponential_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  return o.max_lr * std::pow(o.decay_factor, real(t - o.warmup) / real(o.decay_every));
}
// #endregion schedule-exponential

// #region schedule-step
double step_schedule(const ScheduleOptions& o, int64_t t) {
  if (t < o.warmup) return warmup_schedule(o, t);
  const int64_t whole = (t - o.warmup) / o.decay_every;  // ⌊(t - t_w) / k⌋
  return o.max_lr * std::pow(o.decay_factor, whole);
}
// #endregion schedule-step

// #region schedule-one-cycle
double one_cycle_schedule(const ScheduleOptions& o, int64_t t) {
  const double start = o.max_lr / o.start_divisor, end = start / o.end_divisor;
  const double now = real(t), peak = o.rise_share * real(o.total);
  if (t >= o.total) return end;
  if (now < peak) return half_cosine(start, o.max_lr, now / peak);
  return half_cosine(o.max_lr, end, (now - peak) / (real(o.total) - peak));
}
// #endregion schedule-one-cycle

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
                                           {"polynomial", "schedule-polynomial", polynomial_schedule},
                                           {"exponential", "schedule-exponential", exponential_schedule},
                                           {"step", "schedule-step", step_schedule},
                                           {"one-cycle", "schedule-one-cycle", one_cycle_schedule},
                                       }};
  return family;
}

}  // namespace gradus::optim
