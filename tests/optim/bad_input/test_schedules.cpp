// Options of schedules that make no sense, asked of every schedule; and the ends of what is accepted.
#include <cmath>
#include <limits>
#include <set>

#include "optim/schedule.h"
#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::test;
using optim::ScheduleOptions;

namespace {

const std::set<std::string_view> kCompareWarmup{"cosine", "cosine-restarts", "linear", "wsd", "polynomial"};  // with the run

struct RefusedOptions {
  ScheduleOptions options;
  std::string text;  // what follows "schedule: "
};

std::vector<RefusedOptions> refused() {
  using O = ScheduleOptions;
  std::vector<RefusedOptions> rows{
      {{.max_lr = 1, .min_lr = 2}, "min_lr 2 is above max_lr 1; set one of them to another rate"},
      {{.max_lr = 1e-5}, "min_lr 0.0001 (its default) is above max_lr 1e-05; set it too"},
      {{.max_lr = -1, .min_lr = -2}, "min_lr must be finite and not negative, got -2"},
  };
  const auto add = [&](auto O::* field, auto number, const std::string& must_be) {
    rows.push_back({changed(O(), [=](O& o) { o.*field = number; }), fmt::format("{}, got {}", must_be, number)});
  };
  for (const int64_t steps : {int64_t{-1}, INT64_MIN}) add(&O::warmup, steps, "warmup must not be negative");
  for (const int64_t cycles : {int64_t{0}, INT64_MIN, int64_t{1'000'001}, INT64_MAX}) add(&O::cycles, cycles, "needs 1 to 1000000 cycles");
  for (const int64_t steps : {int64_t{0}, INT64_MIN}) add(&O::decay_every, steps, "decay_every must be at least 1");
  const struct {
    double O::* field;
    std::string must_be;
    std::vector<double> refused;  // besides what is not finite
  } numbers[] = {{&O::max_lr, "max_lr must be finite", {}},
                 {&O::min_lr, "min_lr must be finite and not negative", {-1}},
                 {&O::cycle_growth, "cycle_growth must be finite and at least 1", {0.999, 0, -2}},
                 {&O::decay_share, "decay_share must be in [0, 1]", {-0.1, 1.1}},
                 {&O::power, "power must be finite and positive", {0, -1}},
                 {&O::decay_factor, "decay_factor must be in (0, 1]", {0, -0.5, 1.5}},
                 {&O::rise_share, "rise_share must be in [0, 1]", {-0.1, 2}},
                 {&O::start_divisor, "start_divisor must be finite and at least 1", {0.5, 0}},
                 {&O::end_divisor, "end_divisor must be finite and at least 1", {-1}}};
  for (const auto& [field, must_be, refused] : numbers) {
    for (const double number : refused) add(field, number, must_be);
    for (const double number : {kNaN, kInfinity, -kInfinity}) add(field, number, must_be);
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
      const auto f = schedule.value;
      rows += of(std::string(schedule.name), {REFUSED(value, f(o, 500), "schedule: " + text)});
    }
  }
  for (const auto& [warmup, total] : {std::pair<int64_t, int64_t>{1001, 1000}, {0, -1}, {INT64_MAX, 1000}, {0, INT64_MIN}}) {
    const ScheduleOptions o{.warmup = warmup, .total = total};
    const std::string text = fmt::format("schedule: warmup must not be longer than the run of {} steps, got {}", total, warmup);
    rows += REFUSED(value, optim::check_schedule(o), text);
    for (const std::string_view name : kCompareWarmup) {
      rows += of(std::string(name), {REFUSED(value, optim::schedules().find(name).value(o, 0), text)});
    }
  }
  for (const auto& schedule : schedules) {
    const auto f = schedule.value;
    rows += of(std::string(schedule.name), REFUSED_EACH(f({}, bad), "schedule: the step must not be negative", -1, INT64_MIN));
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
      {.cycles = 2000},
      {.cycles = 1'000'000},
      {.cycles = 1'000'000, .cycle_growth = 1},
      {.cycles = 3, .cycle_growth = largest},
      {.cycles = 1'000'000, .cycle_growth = std::nextafter(1.0, 2.0)},
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
