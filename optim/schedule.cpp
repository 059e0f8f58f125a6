#include "optim/schedule.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/options/range.h"

namespace gradus::optim {
namespace {

double real(int64_t steps) { return static_cast<double>(steps); }

// From `from` at progress 0 to `to` at 1.
double half_cosine(double from, double to, double progress) {
  constexpr double pi = 3.14159265358979323846;
  return to + 0.5 * (from - to) * (1 + std::cos(pi * progress));
}
double straight_line(double from, double to, double progress) { return from + (to - from) * progress; }

// Each number by itself.
void check_numbers(const ScheduleOptions& o) {
  constexpr int64_t most_cycles = 1'000'000;
  constexpr Range at_least_one{1, range::infinity, true, false};
  check_range("max_lr", o.max_lr, range::finite, "schedule");
  check_range("min_lr", o.min_lr, range::not_negative, "schedule");
  const bool is_default = o.min_lr == ScheduleOptions().min_lr;
  check<ValueError>(o.min_lr <= o.max_lr, "schedule: min_lr {}{} is above max_lr {}; set {}", o.min_lr, is_default ? " (its default)" : "",
                    o.max_lr, is_default ? "it too" : "one of them to another rate");
  check<ValueError>(o.warmup >= 0, "schedule: warmup must not be negative, got {}", o.warmup);
  check<ValueError>(o.cycles >= 1 && o.cycles <= most_cycles, "schedule: needs 1 to {} cycles, got {}", most_cycles, o.cycles);
  check_range("cycle_growth", o.cycle_growth, at_least_one, "schedule");
  check_range("decay_share", o.decay_share, range::share, "schedule");
  check_range("rise_share", o.rise_share, range::share, "schedule");
  check_range("power", o.power, range::positive, "schedule");
  check_range("decay_factor", o.decay_factor, {0, 1, false, true}, "schedule");
  check<ValueError>(o.decay_every >= 1, "schedule: decay_every must be at least 1, got {}", o.decay_every);
  check_range("start_divisor", o.start_divisor, at_least_one, "schedule");
  check_range("end_divisor", o.end_divisor, at_least_one, "schedule");
}

void check_step(int64_t t) { check<ValueError>(t >= 0, "schedule: the step must not be negative, got {}", t); }

// What a schedule asks first that does not compare t_w and t_c.
void check_call(const ScheduleOptions& o, int64_t t) {
  check_numbers(o);
  check_step(t);
}

}  // namespace

void check_schedule(const ScheduleOptions& o) {
  check_numbers(o);
  check<ValueError>(o.warmup <= o.total, "schedule: warmup must not be longer than the run of {} steps, got {}", o.total, o.warmup);
}

// #region schedule-constant
double constant_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  return o.max_lr;
}
// #endregion schedule-constant

// #region schedule-warmup
double warmup_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  return t < o.warmup ? o.max_lr * (real(t) / real(o.warmup)) : o.max_lr;
}
// #endregion schedule-warmup

// #region schedule-cosine
namespace {

// The warm-up; fall(progress) from t_w to t_c, as progress goes from 0 to 1; then lr_min.
template <typename Fall> double fall_after_warmup(const ScheduleOptions& o, int64_t t, const Fall& fall) {
  check_schedule(o);
  check_step(t);
  if (t < o.warmup) return warmup_schedule(o, t);
  if (t >= o.total) return o.min_lr;
  return fall(real(t - o.warmup) / real(o.total - o.warmup));
}

}  // namespace

double cosine_schedule(const ScheduleOptions& o, int64_t t) {
  return fall_after_warmup(o, t, [&](double progress) { return half_cosine(o.max_lr, o.min_lr, progress); });
}
// #endregion schedule-cosine

// #region schedule-cosine-restarts
double cosine_restarts_schedule(const ScheduleOptions& o, int64_t t) {
  return fall_after_warmup(o, t, [&](double) {
    // From the last cycle back, as the first may be shorter than a double can say.
    double parts = 0;  // the run in lengths of its last cycle: 1 + 1/ρ + … + 1/ρⁿ⁻¹
    for (int64_t i = 0; i < o.cycles; ++i) parts = 1 + parts / o.cycle_growth;
    double length = real(o.total - o.warmup) / parts, left = real(o.total - t);
    for (int64_t i = 1; i < o.cycles && left > length; ++i) {
      left -= length;
      length /= o.cycle_growth;
    }
    return half_cosine(o.max_lr, o.min_lr, left < length ? (length - left) / length : 0);
  });
}
// #endregion schedule-cosine-restarts

// #region schedule-linear
double linear_schedule(const ScheduleOptions& o, int64_t t) {
  return fall_after_warmup(o, t, [&](double progress) { return straight_line(o.max_lr, o.min_lr, progress); });
}
// #endregion schedule-linear

// #region schedule-inverse-sqrt
double inverse_sqrt_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  if (t < o.warmup) return warmup_schedule(o, t);
  const int64_t from = std::max<int64_t>(o.warmup, 1);
  return o.max_lr * std::sqrt(real(from) / real(std::max(t, from)));
}
// #endregion schedule-inverse-sqrt

// #region schedule-wsd
double warmup_stable_decay_schedule(const ScheduleOptions& o, int64_t t) {
  return fall_after_warmup(o, t, [&, stable = 1 - o.decay_share](double progress) {
    return progress <= stable ? o.max_lr : straight_line(o.max_lr, o.min_lr, (progress - stable) / o.decay_share);
  });
}
// #endregion schedule-wsd

// #region schedule-polynomial
double polynomial_schedule(const ScheduleOptions& o, int64_t t) {
  return fall_after_warmup(o, t, [&](double progress) { return o.min_lr + (o.max_lr - o.min_lr) * std::pow(1 - progress, o.power); });
}
// #endregion schedule-polynomial

// #region schedule-exponential
double exponential_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  if (t < o.warmup) return warmup_schedule(o, t);
  return o.max_lr * std::pow(o.decay_factor, real(t - o.warmup) / real(o.decay_every));
}
// #endregion schedule-exponential

// #region schedule-step
double step_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  if (t < o.warmup) return warmup_schedule(o, t);
  const int64_t whole = (t - o.warmup) / o.decay_every;
  return o.max_lr * std::pow(o.decay_factor, whole);
}
// #endregion schedule-step

double multi_step_schedule(const ScheduleOptions& o, const std::vector<int64_t>& milestones, int64_t t) {
  check_call(o, t);
  const auto not_rising = std::adjacent_find(milestones.begin(), milestones.end(), std::greater_equal<>());
  check<ValueError>(not_rising == milestones.end(), "schedule: milestones must rise, got {}", milestones);
  if (t < o.warmup) return warmup_schedule(o, t);
  const auto passed = std::upper_bound(milestones.begin(), milestones.end(), t) - milestones.begin();
  return o.max_lr * std::pow(o.decay_factor, passed);
}

// #region schedule-one-cycle
double one_cycle_schedule(const ScheduleOptions& o, int64_t t) {
  check_call(o, t);
  const double start = o.max_lr / o.start_divisor, end = start / o.end_divisor;
  const double now = real(t), last = real(o.total), peak = o.rise_share * last;
  if (now >= last) return end;
  if (now < peak) return half_cosine(start, o.max_lr, now / peak);
  return half_cosine(o.max_lr, end, (now - peak) / (last - peak));
}
// #endregion schedule-one-cycle

const Table<Schedule>& schedules() {
  static const Table<Schedule> family{
      "schedule",
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
      },
  };
  return family;
}

}  // namespace gradus::optim
