#include "optim/schedule.h"

#include <cmath>

#include "core/check.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;
using optim::ScheduleOptions;

namespace {

// The rates at t = 0 … count-1.
Tensor rates(std::string_view name, const ScheduleOptions& options, int64_t count) {
  std::vector<double> values;
  for (int64_t t = 0; t < count; ++t) values.push_back(optim::schedules().find(name).value(options, t));
  return from_vector(values, {count});
}

}  // namespace

TEST_CASE("schedule-cosine: every step equals PyTorch's") {
  const auto row = read_fixture("optim.safetensors").tensors;
  const std::vector<double> o = to_vector(row.at("cosine/options"));
  const ScheduleOptions options{o[0], o[1], static_cast<int64_t>(o[2]), static_cast<int64_t>(o[3])};
  const Tensor& expected = row.at("cosine/rates");
  CHECK(difference(rates("cosine", options, expected.numel()), expected, 1e-16) == "");
}

TEST_CASE("schedule-cosine-restarts, schedule-linear, schedule-inverse-sqrt: every step equals PyTorch's") {
  const auto rows = read_fixture("optimizers.safetensors").tensors;
  const ScheduleOptions options{.max_lr = 1, .min_lr = 0.1, .warmup = 0, .total = 70};  // cycles of 10, 20 and 40 steps
  for (const char* name : {"cosine-restarts", "linear", "inverse-sqrt"}) {
    CAPTURE(name);
    // PyTorch's linear schedule multiplies one rate after the other: 70 roundings.
    CHECK(difference(rates(name, options, 70), rows.at(fmt::format("schedule/{}", name)), 1e-14) == "");
  }
}

TEST_CASE(
    "schedule-polynomial, schedule-exponential, schedule-step, schedule-one-cycle: every step equals PyTorch's, and the "
    "defaults are theirs where PyTorch has some") {
  const auto rows = read_fixture("optimizers.safetensors").tensors;
  const auto check = [&](const char* name, const std::string& row, ScheduleOptions options) {
    CAPTURE(row);
    options.max_lr = 1, options.warmup = 0, options.total = 70;
    const Tensor& expected = rows.at(fmt::format("schedule/{}", row));
    CHECK(difference(rates(name, options, expected.numel()), expected, 1e-13) == "");
  };
  check("polynomial", "polynomial", {.min_lr = 0});
  check("polynomial", "polynomial_cubed", {.min_lr = 0, .power = 3});
  check("exponential", "exponential", {.decay_factor = 0.95, .decay_every = 1});
  check("step", "step", {.decay_factor = 0.3, .decay_every = 15});
  check("one-cycle", "one-cycle", {});
}

TEST_CASE("schedule-step: at given milestones, every step equals PyTorch's; after the warm-up, in rising order") {
  const Tensor expected = read_fixture("optimizers.safetensors").tensors.at("schedule/multi_step");
  const ScheduleOptions options{.max_lr = 1, .warmup = 0, .decay_factor = 0.3};
  for (int64_t t = 0; t < 70; ++t) {
    CHECK(optim::multi_step_schedule(options, {5, 6, 40}, t) == doctest::Approx(expected.at({t})).epsilon(1e-14));
  }
  const ScheduleOptions late{.max_lr = 1, .warmup = 8, .decay_factor = 0.5};
  CHECK(optim::multi_step_schedule(late, {4, 10}, 4) == 0.5);  // half of the warm-up
  CHECK(optim::multi_step_schedule(late, {4, 10}, 8) == 0.5);  // one milestone passed
  CHECK(optim::multi_step_schedule(late, {4, 10}, 10) == 0.25);
  CHECK(optim::multi_step_schedule(late, {4, 10}, INT64_MAX) == 0.25);
  CHECK(optim::multi_step_schedule(late, {}, 1000) == 1);
  CHECK_THROWS_WITH_AS(optim::multi_step_schedule(late, {4, 4}, 1), "schedule: milestones must rise, got [4, 4]", ValueError);
  CHECK_THROWS_WITH_AS(optim::multi_step_schedule(late, {4, 9, 6}, 1), "schedule: milestones must rise, got [4, 9, 6]", ValueError);
  CHECK_THROWS_AS(optim::multi_step_schedule(late, {4}, -1), ValueError);
  CHECK_THROWS_AS(optim::multi_step_schedule({.decay_factor = 2}, {4}, 1), ValueError);
}

TEST_CASE("schedule-cosine: the ends of its pieces") {
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0.1, .warmup = 10, .total = 110};
  const auto schedule = [&](int64_t t) { return optim::cosine_schedule(o, t); };
  CHECK(schedule(0) == 0);
  CHECK(schedule(9) == doctest::Approx(0.9).epsilon(1e-15));
  CHECK(schedule(10) == 1);
  CHECK(schedule(60) == doctest::Approx(0.55).epsilon(1e-15));  // half way: the mean of both rates
  CHECK(schedule(109) > 0.1);
  CHECK(schedule(109) < 0.101);
  CHECK(schedule(110) == 0.1);
  CHECK(schedule(1000000) == 0.1);
}

TEST_CASE("schedule-cosine-restarts: back at the maximum where a cycle begins, at the minimum at the end") {
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0.25, .warmup = 4, .total = 32, .cycles = 3, .cycle_growth = 2};  // 4, 8, 16
  const auto schedule = [&](int64_t t) { return optim::cosine_restarts_schedule(o, t); };
  for (const int64_t begin : {4, 8, 16}) CHECK(schedule(begin) == 1);
  for (const int64_t middle : {6, 12, 24}) CHECK(schedule(middle) == doctest::Approx(0.625).epsilon(1e-15));
  for (const int64_t last : {7, 15, 31}) CHECK(schedule(last) < 0.4);
  CHECK(schedule(2) == 0.5);
  CHECK(schedule(32) == 0.25);
  const ScheduleOptions one{.max_lr = 1, .min_lr = 0.25, .warmup = 4, .total = 32, .cycles = 1};
  for (int64_t t = 0; t < 40; ++t) CHECK(optim::cosine_restarts_schedule(one, t) == optim::cosine_schedule(one, t));
}

TEST_CASE("schedule-linear, schedule-wsd, schedule-inverse-sqrt, schedule-warmup, schedule-constant: their corners") {
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0.5, .warmup = 4, .total = 24, .decay_share = 0.25};
  const auto at = [&](const char* name, int64_t t) { return optim::schedules().find(name).value(o, t); };
  for (const char* name : {"warmup", "linear", "wsd", "inverse-sqrt"}) {
    CAPTURE(name);
    CHECK(at(name, 0) == 0);
    CHECK(at(name, 1) == 0.25);
    CHECK(at(name, 3) == 0.75);
    CHECK(at(name, 4) == 1);
  }
  CHECK(at("constant", 0) == 1);
  CHECK(at("constant", 1000) == 1);
  CHECK(at("warmup", 1000) == 1);
  CHECK(at("linear", 14) == 0.75);
  CHECK(at("linear", 24) == 0.5);
  CHECK(at("linear", 1000) == 0.5);
  CHECK(at("wsd", 19) == 1);  // the last five of twenty steps after the warm-up
  CHECK(at("wsd", 20) == doctest::Approx(0.9).epsilon(1e-15));
  CHECK(at("wsd", 23) == doctest::Approx(0.6).epsilon(1e-15));
  CHECK(at("wsd", 24) == 0.5);
  CHECK(at("inverse-sqrt", 16) == 0.5);
  CHECK(at("inverse-sqrt", 400) == 0.1);
  CHECK(at("polynomial", 4) == 1);
  CHECK(at("polynomial", 14) == doctest::Approx(0.5 + 0.5 * std::pow(0.5, 0.9)).epsilon(1e-15));
  CHECK(at("polynomial", 24) == 0.5);
  CHECK(at("exponential", 4) == 1);
  CHECK(at("exponential", 304) == 0.5);
  CHECK(at("exponential", 904) == 0.125);
  CHECK(at("step", 303) == 1);
  CHECK(at("step", 304) == 0.5);
  CHECK(at("step", 903) == 0.25);
  const ScheduleOptions none{.max_lr = 1, .min_lr = 0.5, .warmup = 0, .total = 10, .decay_share = 0};
  CHECK(optim::warmup_stable_decay_schedule(none, 9) == 1);
  CHECK(optim::warmup_stable_decay_schedule(none, 10) == 0.5);
  CHECK(optim::inverse_sqrt_schedule(none, 0) == 1);
  CHECK(optim::inverse_sqrt_schedule(none, 4) == 0.5);
}

TEST_CASE("schedule-one-cycle: its own start, peak and end; neither warm-up nor least rate plays a part") {
  const ScheduleOptions o{.max_lr = 1, .total = 100};
  ScheduleOptions other = o;
  other.warmup = 50, other.min_lr = 0.5;
  for (int64_t t = 0; t < 110; ++t) CHECK(optim::one_cycle_schedule(o, t) == optim::one_cycle_schedule(other, t));
  CHECK(optim::one_cycle_schedule(o, 0) == doctest::Approx(0.04).epsilon(1e-15));
  CHECK(optim::one_cycle_schedule(o, 15) == doctest::Approx(0.52).epsilon(1e-15));
  CHECK(optim::one_cycle_schedule(o, 30) == 1);
  CHECK(optim::one_cycle_schedule(o, 65) == doctest::Approx((1 + 4e-6) / 2).epsilon(1e-15));
  for (const int64_t t : {100, 101, 1000}) CHECK(optim::one_cycle_schedule(o, t) == doctest::Approx(4e-6).epsilon(1e-15));
  const ScheduleOptions own{.max_lr = 1, .total = 100, .rise_share = 0.5, .start_divisor = 2, .end_divisor = 8};
  CHECK(optim::one_cycle_schedule(own, 0) == 0.5);
  CHECK(optim::one_cycle_schedule(own, 50) == 1);
  CHECK(optim::one_cycle_schedule(own, 75) == doctest::Approx(0.53125).epsilon(1e-15));
  CHECK(optim::one_cycle_schedule(own, 100) == 0.0625);
  for (const double share : {0.0, 1.0}) {
    const ScheduleOptions edge{.max_lr = 1, .total = 10, .rise_share = share};
    CHECK(optim::one_cycle_schedule(edge, 0) == doctest::Approx(share == 0 ? 1 : 0.04).epsilon(1e-15));
    CHECK(optim::one_cycle_schedule(edge, 9) < (share == 0 ? 0.03 : 1));
    CHECK(optim::one_cycle_schedule(edge, 10) == doctest::Approx(4e-6).epsilon(1e-15));
  }
}

TEST_CASE(
    "convention-one-cycle-phases: at twice the rise the paper is back at its start, 0.04 of the maximum, and two cosines "
    "are at 0.611 of it; PyTorch's peak is 0.7 of a step earlier") {
  const ScheduleOptions o{.max_lr = 1, .total = 100};
  const double pi = std::acos(-1);
  const double two_cosines = 4e-6 + (1 - 4e-6) * (1 + std::cos(pi * 3 / 7)) / 2;
  CHECK(optim::one_cycle_schedule(o, 60) == doctest::Approx(two_cosines).epsilon(1e-14));
  CHECK(optim::one_cycle_schedule(o, 60) - 0.04 == doctest::Approx(0.571262).epsilon(1e-5));
  CHECK(0.3 * 100 - (0.3 * 101 - 1) == doctest::Approx(0.7).epsilon(1e-13));
}

// A new schedule whose rise is its own, so that options.warmup plays no part, joins this one, with a test of its own.
bool has_own_rise(std::string_view name) { return name == "one-cycle"; }

TEST_CASE("schedule: each rises to the maximum in the warm-up and is never above it, nor below 0; a pure function of t") {
  const ScheduleOptions o{.max_lr = 3e-4, .min_lr = 3e-5, .warmup = 7, .total = 50};
  for (const auto& variant : optim::schedules().variants) {
    CAPTURE(variant.name);
    for (int64_t t = 0; t < 60; ++t) {
      CAPTURE(t);
      const double rate = variant.value(o, t);
      CHECK(rate >= 0);
      CHECK(rate <= 3e-4);
      CHECK(rate == variant.value(o, t));
      if (has_own_rise(variant.name)) continue;
      if (t < 7 && variant.name != "constant") CHECK(variant.value(o, t + 1) > rate);
      if (t >= 7 && variant.name != "cosine-restarts") CHECK(variant.value(o, t + 1) <= rate);
    }
    if (!has_own_rise(variant.name)) CHECK_MESSAGE(variant.value(o, 7) == 3e-4, "a schedule without options.warmup? See has_own_rise");
  }
}

TEST_CASE("schedule: without a warm-up each starts at the maximum; a run may be all warm-up, or no step at all") {
  const ScheduleOptions at_once{.max_lr = 1, .min_lr = 0, .warmup = 0, .total = 4};
  const ScheduleOptions only{.max_lr = 1, .min_lr = 0.5, .warmup = 4, .total = 4};
  const ScheduleOptions none{.max_lr = 1, .min_lr = 0.5, .warmup = 0, .total = 0};
  for (const auto& variant : optim::schedules().variants) {
    CAPTURE(variant.name);
    if (has_own_rise(variant.name)) continue;
    CHECK(variant.value(at_once, 0) == 1);
    if (variant.name != "constant") CHECK(variant.value(only, 3) == 0.75);
    CHECK(variant.value(only, 4) >= 0.5);
    CHECK(variant.value(none, 0) >= 0.5);
  }
  CHECK(optim::cosine_schedule(only, 4) == 0.5);
  CHECK(optim::cosine_schedule(none, 0) == 0.5);
  CHECK(optim::one_cycle_schedule(none, 0) == doctest::Approx(4e-6).epsilon(1e-15));
}

TEST_CASE("schedule: errors") {
  const auto refused = [](const ScheduleOptions& options, const char* message) {
    CHECK_THROWS_WITH_AS(optim::check_schedule(options), message, ValueError);
  };
  refused({.max_lr = 1, .min_lr = 2}, "schedule: min_lr 2 is above max_lr 1; set one of them to another rate");
  refused({.max_lr = 1e-5}, "schedule: min_lr 0.0001 (its default) is above max_lr 1e-05; set it too");
  refused({.max_lr = 1, .min_lr = -1}, "schedule: min_lr must be finite and not negative, got -1");
  refused({.max_lr = -1, .min_lr = -1}, "schedule: min_lr must be finite and not negative, got -1");
  refused({.warmup = 11, .total = 10}, "schedule: warmup must not be longer than the run of 10 steps, got 11");
  refused({.warmup = -1, .total = 10}, "schedule: warmup must not be negative, got -1");
  refused({.cycles = 0}, "schedule: needs 1 to 1000000 cycles, got 0");
  refused({.cycle_growth = 0.5}, "schedule: cycle_growth must be finite and at least 1, got 0.5");
  refused({.decay_share = 1.5}, "schedule: decay_share must be in [0, 1], got 1.5");
  refused({.power = 0}, "schedule: power must be finite and positive, got 0");
  refused({.decay_factor = 0}, "schedule: decay_factor must be in (0, 1], got 0");
  refused({.decay_factor = 1.1}, "schedule: decay_factor must be in (0, 1], got 1.1");
  refused({.decay_every = 0}, "schedule: decay_every must be at least 1, got 0");
  refused({.rise_share = -0.1}, "schedule: rise_share must be in [0, 1], got -0.1");
  refused({.start_divisor = 0.99}, "schedule: start_divisor must be finite and at least 1, got 0.99");
  refused({.end_divisor = 0}, "schedule: end_divisor must be finite and at least 1, got 0");
  CHECK_NOTHROW(optim::check_schedule({}));
  CHECK_NOTHROW(optim::check_schedule({.max_lr = 0, .min_lr = 0, .warmup = 0, .total = 0}));
  CHECK_THROWS_WITH_AS(optim::schedules().find("cosin"), "unknown schedule 'cosin'; did you mean 'cosine'?", ValueError);
}
