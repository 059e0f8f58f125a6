// Options of schedules that make no sense, asked of every schedule; and the ends of what is accepted.
#include <cmath>
#include <limits>
#include <set>

#include "optim/schedule.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;
using optim::ScheduleOptions;

namespace {

const std::set<std::string_view> kCompareWarmup{"cosine", "cosine-restarts", "linear", "wsd", "polynomial"};  // with the run

struct Refused {
  ScheduleOptions options;
  std::string text;  // what follows "schedule: "
};

std::vector<Refused> refused() {
  std::vector<Refused> rows{
      {{.max_lr = 1, .min_lr = 2}, "min_lr 2 is above max_lr 1; set one of them to another rate"},
      {{.max_lr = 1e-5}, "min_lr 0.0001 (its default) is above max_lr 1e-05; set it too"},
      {{.min_lr = -1}, "min_lr must be finite and not negative, got -1"},
      {{.max_lr = -1, .min_lr = -2}, "min_lr must be finite and not negative, got -2"},
      {{.warmup = -1}, "warmup must not be negative, got -1"},
      {{.warmup = INT64_MIN}, "warmup must not be negative, got -9223372036854775808"},
      {{.cycles = 0}, "needs 1 to 1000000 cycles, got 0"},
      {{.cycles = INT64_MIN}, "needs 1 to 1000000 cycles, got -9223372036854775808"},
      {{.cycles = 1'000'001}, "needs 1 to 1000000 cycles, got 1000001"},
      {{.cycles = INT64_MAX}, "needs 1 to 1000000 cycles, got 9223372036854775807"},
      {{.cycle_growth = 0.999}, "cycle_growth must be finite and at least 1, got 0.999"},
      {{.cycle_growth = 0}, "cycle_growth must be finite and at least 1, got 0"},
      {{.cycle_growth = -2}, "cycle_growth must be finite and at least 1, got -2"},
      {{.decay_share = -0.1}, "decay_share must be in [0, 1], got -0.1"},
      {{.decay_share = 1.1}, "decay_share must be in [0, 1], got 1.1"},
      {{.power = 0}, "power must be finite and positive, got 0"},
      {{.power = -1}, "power must be finite and positive, got -1"},
      {{.decay_factor = 0}, "decay_factor must be in (0, 1], got 0"},
      {{.decay_factor = -0.5}, "decay_factor must be in (0, 1], got -0.5"},
      {{.decay_factor = 1.5}, "decay_factor must be in (0, 1], got 1.5"},
      {{.decay_every = 0}, "decay_every must be at least 1, got 0"},
      {{.decay_every = INT64_MIN}, "decay_every must be at least 1, got -9223372036854775808"},
      {{.rise_share = -0.1}, "rise_share must be in [0, 1], got -0.1"},
      {{.rise_share = 2}, "rise_share must be in [0, 1], got 2"},
      {{.start_divisor = 0.5}, "start_divisor must be finite and at least 1, got 0.5"},
      {{.start_divisor = 0}, "start_divisor must be finite and at least 1, got 0"},
      {{.end_divisor = -1}, "end_divisor must be finite and at least 1, got -1"},
  };
  const struct {
    double ScheduleOptions::*number;
    const char* name;
    const char* must_be;
  } numbers[] = {{&ScheduleOptions::max_lr, "max_lr", "finite"},
                 {&ScheduleOptions::cycle_growth, "cycle_growth", "finite and at least 1"},
                 {&ScheduleOptions::decay_share, "decay_share", "in [0, 1]"},
                 {&ScheduleOptions::power, "power", "finite and positive"},
                 {&ScheduleOptions::decay_factor, "decay_factor", "in (0, 1]"},
                 {&ScheduleOptions::rise_share, "rise_share", "in [0, 1]"},
                 {&ScheduleOptions::start_divisor, "start_divisor", "finite and at least 1"},
                 {&ScheduleOptions::end_divisor, "end_divisor", "finite and at least 1"}};
  for (const auto& [value, text] : {std::pair{kNaN, "nan"}, {kInfinity, "inf"}, {-kInfinity, "-inf"}}) {
    for (const auto& [number, name, must_be] : numbers) {
      ScheduleOptions options;
      options.*number = value;
      rows.push_back({options, fmt::format("{} must be {}, got {}", name, must_be, text)});
    }
    ScheduleOptions options;
    options.min_lr = value;
    rows.push_back({options, fmt::format("min_lr must be finite and not negative, got {}", text)});
  }
  return rows;
}

}  // namespace

TEST_CASE("check_schedule and every schedule refuse options that make no sense, whether they read them or not, and steps before 0") {
  BadCalls rows;
  const auto& schedules = optim::schedules().variants;
  for (const auto& [options, text] : refused()) {
    const ScheduleOptions o = options;
    rows += REFUSED(value, optim::check_schedule(o), "schedule: " + text);
    for (const auto& schedule : schedules) {
      rows += {std::string(schedule.name), [=, f = schedule.value] { f(o, 500); }, Raises::value, "schedule: " + text};
    }
  }
  for (const auto& [warmup, total] : {std::pair<int64_t, int64_t>{1001, 1000}, {0, -1}, {INT64_MAX, 1000}, {0, INT64_MIN}}) {
    const ScheduleOptions o{.warmup = warmup, .total = total};
    const std::string text = fmt::format("schedule: warmup must not be longer than the run of {} steps, got {}", total, warmup);
    rows += REFUSED(value, optim::check_schedule(o), text);
    for (const std::string_view name : kCompareWarmup) {
      rows += {fmt::format("{}, a long warm-up", name), [=] { optim::schedules().find(name).value(o, 0); }, Raises::value, text};
    }
  }
  for (const auto& schedule : schedules) {
    rows += bad_sizes(std::string(schedule.name), {-1, INT64_MIN}, "schedule: the step must not be negative, got ",
                      [f = schedule.value](int64_t t) { f({}, t); });
  }
  for (const char* unknown : {"", "cosin", "../cosine", "cosine restarts"}) {
    rows += REFUSED(value, optim::schedules().find(unknown), fmt::format("unknown schedule '{}'; did you mean '", unknown));
  }
  check_bad_calls(rows);
  MESSAGE(rows.size(), " bad calls of schedules");
}

TEST_CASE("every schedule ends, with a finite rate between 0 and the largest, at the ends of what check_schedule accepts") {
  constexpr double largest = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  const ScheduleOptions ends[] = {
      {.cycles = 1'000'000},
      {.cycles = 1'000'000, .cycle_growth = 1},
      {.cycles = 1'000'000, .cycle_growth = std::nextafter(1.0, 2.0)},
      {.cycles = 2000},
      {.cycles = 3, .cycle_growth = largest},
      {.cycles = 1'000'000, .cycle_growth = 1e300},
      {.warmup = 0, .total = INT64_MAX, .cycles = 1'000'000, .cycle_growth = 1},
      {.warmup = 0, .total = INT64_MAX, .decay_share = 1, .rise_share = 1},
      {.warmup = INT64_MAX, .total = INT64_MAX, .decay_share = 0, .rise_share = 0},
      {.max_lr = largest, .min_lr = 0, .warmup = 1000, .total = INT64_MAX, .start_divisor = largest, .end_divisor = largest},
      {.max_lr = largest, .min_lr = largest, .power = largest, .decay_factor = least, .decay_every = 1},
      {.max_lr = 1, .min_lr = 0, .power = least, .decay_factor = 1, .decay_every = INT64_MAX},
      {.max_lr = 0, .min_lr = 0, .warmup = 0, .total = 0},
      {.warmup = INT64_MAX, .total = INT64_MIN},  // which only those refuse that compare the two
      {.warmup = 0, .total = INT64_MIN},
  };
  for (const ScheduleOptions& options : ends) {
    for (const auto& variant : optim::schedules().variants) {
      if (options.warmup > options.total && kCompareWarmup.count(variant.name) != 0) continue;
      for (const int64_t t : {int64_t{0}, int64_t{1}, int64_t{99}, int64_t{100}, int64_t{101}, int64_t{500}, int64_t{999}, int64_t{1000},
                              int64_t{1} << 60, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX}) {
        CAPTURE(variant.name);
        CAPTURE(t);
        CAPTURE(options.cycle_growth);
        const double rate = variant.value(options, t);
        CHECK(std::isfinite(rate));
        CHECK(rate >= 0);
        CHECK(rate <= options.max_lr);
      }
    }
  }
}

TEST_CASE("schedule-cosine-restarts: with a growth whose power no double holds, the last cycles are where they are by the formula") {
  // ρ = 10, n = 400: the last cycle is 0.9 of the run, the one before 0.09; what is before them is all cycles too short to see.
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0, .warmup = 0, .total = 1000, .cycles = 400, .cycle_growth = 10};
  CHECK(optim::cosine_restarts_schedule(o, 100) == doctest::Approx(1).epsilon(1e-9));
  CHECK(optim::cosine_restarts_schedule(o, 550) == doctest::Approx(0.5).epsilon(1e-9));
  CHECK(optim::cosine_restarts_schedule(o, 55) == doctest::Approx(0.5).epsilon(1e-9));
  CHECK(optim::cosine_restarts_schedule(o, 99) < 0.001);
  CHECK(optim::cosine_restarts_schedule(o, 1000) == 0);
  // As many cycles as steps: each step begins one.
  const ScheduleOptions each{.max_lr = 1, .min_lr = 0, .warmup = 0, .total = 1000, .cycles = 1000, .cycle_growth = 1};
  for (int64_t t = 0; t < 1000; ++t) CHECK(optim::cosine_restarts_schedule(each, t) == 1);
}
