// The schedules: their values, their slopes and what is added up, on runs short enough for paper. Each line that has a
// counterpart in the library is held to it.
#include <cmath>

#include "docs/examples/derivation.h"
#include "optim/schedule.h"

using namespace gradus;
using namespace gradus::docs;
using optim::ScheduleOptions;

namespace {

const double kPi = std::acos(-1);

using Function = double (*)(const ScheduleOptions&, int64_t);

// The library's rates at these steps.
Numbers rates(Function schedule, const ScheduleOptions& o, const std::vector<int64_t>& steps) {
  return each(static_cast<int64_t>(steps.size()), [&](int64_t i) { return schedule(o, steps[static_cast<std::size_t>(i)]); });
}

Numbers at(const std::vector<double>& xs, const std::function<double(double)>& f) {
  return each(static_cast<int64_t>(xs.size()), [&](int64_t i) { return f(xs[static_cast<std::size_t>(i)]); });
}

// (f(x + h) - f(x - h)) / 2h
double slope_of(const std::function<double(double)>& f, double x) { return (f(x + 1e-5) - f(x - 1e-5)) / 2e-5; }

// `value` where what was measured is as near to it as differences come, else what was measured.
Numbers where_near(const Numbers& value, const Numbers& measured) {
  return each(value.shape()[0], [&](int64_t i) { return std::abs(value(i) - measured(i)) < 1e-8 ? value(i) : measured(i); });
}

// Holds slopes to differences of the function itself.
void slopes(Derivation& d, const std::string& label, const std::string& name, const std::vector<double>& ts,
            const std::function<double(double)>& slope, const std::function<double(double)>& f) {
  d.law(label, name, at(ts, slope), where_near(at(ts, slope), at(ts, [&](double t) { return slope_of(f, t); })));
}

const ScheduleOptions kRun{.max_lr = 1, .min_lr = 0.2, .warmup = 4, .total = 16};
constexpr double kHighest = 1, kLowest = 0.2, kFall = 0.8;
double progress(double t) { return (t - 4) / 12; }

void cosine() {
  Derivation d("schedule-cosine");
  d.given("η_max", kHighest);
  d.given("η_min", kLowest);
  d.given("t_w", 4);
  d.given("t_c", 16);
  const auto eta = [](double u) { return kLowest + 0.5 * kFall * (1 + std::cos(kPi * u)); };
  const auto fall = [&](double t) { return eta(progress(t)); };
  d.law("h1", "η at t: 0, 2", at({0, 2}, [](double t) { return kHighest * t / 4; }), rates(optim::cosine_schedule, kRun, {0, 2}));
  d.step("h2", "u at t: 4, 8, 10, 12", at({4, 8, 10, 12}, progress));
  d.step("h3", "cos(π u)", at({4, 8, 10, 12}, [](double t) { return std::cos(kPi * progress(t)); }));
  d.law("h4", "η at t: 4, 8, 10, 12", at({4, 8, 10, 12}, fall), rates(optim::cosine_schedule, kRun, {4, 8, 10, 12}));
  d.law("h5", "η at t: 16, 17", {kLowest, kLowest}, rates(optim::cosine_schedule, kRun, {16, 17}));

  d.law("1", "η at u: 0, ½, 1", at({0, 0.5, 1}, eta), {kHighest, (kHighest + kLowest) / 2, kLowest});
  d.law("2", "warm-up and cosine at t_w", {kHighest * 4 / 4, fall(4)}, {kHighest, kHighest});
  d.law("3", "cosine and end at t_c", {fall(16), kLowest}, {kLowest, kLowest});
  d.step("4", "du/dt", 1.0 / 12);
  const auto slope = [](double t) { return -0.5 * kFall * std::sin(kPi * progress(t)) * kPi / 12; };
  slopes(d, "5", "dη/dt at t: 4, 10, 16", {4, 10, 16}, slope, fall);
  const double line = -kFall / 12;
  d.step("6", "slope of the line", line);
  d.law("7", "steepest, in slopes of the line", slope(10) / line, kPi / 2);
  const auto bend = [](double t) { return -0.5 * kFall * std::cos(kPi * progress(t)) * kPi / 12 * kPi / 12; };
  slopes(d, "8", "d²η/dt² at t: 4, 10, 16", {4, 10, 16}, bend, slope);
  d.law("9", "η(u) + η(1 - u) at u: ⅓", eta(1.0 / 3) + eta(2.0 / 3), kHighest + kLowest);
  const auto lost = [](double u) { return (1 - std::cos(kPi * u)) / 2; };
  d.step("10", "share of the fall at u: 0.1, 0.5, 0.9", at({0.1, 0.5, 0.9}, lost));
  d.step("11", "π² u² / 4 at u: 0.1", kPi * kPi * 0.01 / 4);
  const double total = sum(12, [&](int64_t t) { return fall(static_cast<double>(4 + t)); });
  d.law("12", "Σ η over 12 steps", 12 * (kHighest + kLowest) / 2 + kFall / 2, total);
  d.step("13", "slope just before and just after t_w", {kHighest / 4, slope(4)});

  // As published: u counted from step 0.
  const auto early = [&](double t) { return eta(t / 16); };
  d.step("14", "η at t_w, u counted from 0", early(4));
}

void warmup() {
  Derivation d("schedule-warmup");
  const ScheduleOptions small{.max_lr = 0.001, .min_lr = 0, .warmup = 5, .total = 100};
  d.law("h1", "1000 η at t: 0, 2, 5, 50", {0, 1000 * 0.001 * 2 / 5, 1, 1}, each(4, [&](int64_t i) {
    return 1000 * optim::warmup_schedule(small, i == 0 ? 0 : i == 1 ? 2 : i == 2 ? 5 : 50);
  }));
  d.law("h2", "1000 Σ η of five steps", 2, sum(5, [&](int64_t t) { return 1000 * optim::warmup_schedule(small, t); }));
  d.step("h3", "without it", 5);
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0.2, .warmup = 4, .total = 16};
  d.law("1", "η at t: 0 … 5", each(6, [](int64_t t) { return t < 4 ? static_cast<double>(t) / 4 : 1.0; }),
        rates(optim::warmup_schedule, o, {0, 1, 2, 3, 4, 5}));
  d.step("2", "dη/dt", 1.0 / 4);
  d.law("3", "Σ η over the warm-up", 1 * (4 - 1) / 2.0, sum(4, [&](int64_t t) { return optim::warmup_schedule(o, t); }));
  d.law("4", "rates lost by it", (4 + 1) / 2.0, sum(4, [&](int64_t t) { return 1 - optim::warmup_schedule(o, t); }));
  d.law("5", "η from t + 1: t: 0 … 3", {0.25, 0.5, 0.75, 1}, rates(optim::warmup_schedule, o, {1, 2, 3, 4}));
}

void constant() {
  Derivation d("schedule-constant");
  d.law("1", "η at t: 0, 4, 1000", {1, 1, 1}, rates(optim::constant_schedule, kRun, {0, 4, 1000}));
  const auto walked = [](double eta, double slope, int steps) {  // down ½ slope x², from x = 1
    double x = 1;
    for (int t = 0; t < steps; ++t) x -= eta * slope * x;
    return x;
  };
  d.law("2", "x after 3 steps, η: 0.5, curvature 1", walked(0.5, 1, 3), std::pow(1 - 0.5, 3));
  d.law("3", "x after 3 steps, η: 0.5, curvature 5", walked(0.5, 5, 3), std::pow(1 - 2.5, 3));
  d.step("4", "variance of x at rest, η: 0.5, 0.1, 0.01", at({0.5, 0.1, 0.01}, [](double eta) { return eta / (2 - eta); }));
}

void linear() {
  Derivation d("schedule-linear");
  const auto eta = [](double t) { return kHighest + (kLowest - kHighest) * progress(t); };
  d.law("1", "η at t: 4, 7, 10, 16", at({4, 7, 10, 16}, eta), rates(optim::linear_schedule, kRun, {4, 7, 10, 16}));
  d.step("2", "dη/dt", (kLowest - kHighest) / 12);
  d.law("3", "Σ η over 12 steps", 12 * 0.6 + 0.4, sum(12, [](int64_t t) { return optim::linear_schedule(kRun, 4 + t); }));
  d.step("4", "cosine - line at u: ¼, ½, ¾",
         at({0.25, 0.5, 0.75}, [](double u) { return kLowest + 0.5 * kFall * (1 + std::cos(kPi * u)) - (kHighest - kFall * u); }));
}

void polynomial() {
  Derivation d("schedule-polynomial");
  ScheduleOptions o = kRun;
  o.power = 2;
  const auto eta = [](double p) { return [=](double t) { return kLowest + kFall * std::pow(1 - progress(t), p); }; };
  d.law("1", "η at t: 4, 10, 13, 16 for p: 2", at({4, 10, 13, 16}, eta(2)), rates(optim::polynomial_schedule, o, {4, 10, 13, 16}));
  const auto slope = [](double p) { return [=](double t) { return -p * kFall * std::pow(1 - progress(t), p - 1) / 12; }; };
  slopes(d, "2", "dη/dt at t: 5, 10, 15 for p: 2", {5, 10, 15}, slope(2), eta(2));
  slopes(d, "3", "dη/dt at t: 5, 10, 15 for p: 1", {5, 10, 15}, slope(1), eta(1));
  slopes(d, "4", "dη/dt at t: 5, 10, 15 for p: ½", {5, 10, 15}, slope(0.5), eta(0.5));
  d.step("5", "mean of (1 - u)^p for p: ½, 0.9, 1, 2", at({0.5, 0.9, 1, 2}, [](double p) { return 1 / (p + 1); }));
}

void step() {
  Derivation d("schedule-step");
  ScheduleOptions o = kRun;
  o.decay_factor = 0.5, o.decay_every = 3;
  d.law("1", "n at t: 4, 6, 7, 10", at({4, 6, 7, 10}, [](double t) { return std::floor((t - 4) / 3); }), {0, 0, 1, 2});
  d.law("2", "η at t: 4, 6, 7, 10", at({4, 6, 7, 10}, [](double t) { return std::pow(0.5, std::floor((t - 4) / 3)); }),
        rates(optim::step_schedule, o, {4, 6, 7, 10}));
  d.step("3", "steps in all, without end", 3 / (1 - 0.5));
  d.law("4", "Σ η over 300 steps", 3 / (1 - 0.5), sum(300, [&](int64_t t) { return optim::step_schedule(o, 4 + t); }));
}

void exponential() {
  Derivation d("schedule-exponential");
  ScheduleOptions o = kRun;
  o.decay_factor = 0.5, o.decay_every = 3;
  const auto eta = [](double t) { return std::pow(0.5, (t - 4) / 3); };
  d.law("1", "η at t: 4, 5, 7, 10", at({4, 5, 7, 10}, eta), rates(optim::exponential_schedule, o, {4, 5, 7, 10}));
  const auto slope = [&](double t) { return eta(t) * std::log(0.5) / 3; };
  slopes(d, "2", "dη/dt at t: 4, 7, 10", {4, 7, 10}, slope, eta);
  d.law("3", "(dη/dt) / η", slope(7) / eta(7), slope(10) / eta(10));
  ScheduleOptions stairs = o;
  d.law("4", "step over exponential at t: 4, 5, 6, 7", at({0, 1, 2, 0}, [](double late) { return std::pow(2, late / 3); }),
        each(4, [&](int64_t t) { return optim::step_schedule(stairs, 4 + t) / optim::exponential_schedule(o, 4 + t); }));
  d.law("5", "Σ η over 300 steps", 1 / (1 - std::pow(0.5, 1.0 / 3)),
        sum(300, [&](int64_t t) { return optim::exponential_schedule(o, 4 + t); }));
}

void inverse_sqrt() {
  Derivation d("schedule-inverse-sqrt");
  const auto eta = [](double t) { return std::sqrt(4 / t); };
  d.law("1", "η at t: 4, 16, 64, 400", at({4, 16, 64, 400}, eta), rates(optim::inverse_sqrt_schedule, kRun, {4, 16, 64, 400}));
  const auto slope = [&](double t) { return -eta(t) / (2 * t); };
  slopes(d, "2", "dη/dt at t: 4, 16, 64", {4, 16, 64}, slope, eta);
  d.step("3", "∫ η dt from 4 to 16, 64, 256",
         at({16, 64, 256}, [](double t) { return 2 * std::sqrt(4.0) * (std::sqrt(t) - std::sqrt(4)); }));
  const auto paper = [](double t) { return std::pow(512, -0.5) * std::min(std::pow(t, -0.5), t * std::pow(4000, -1.5)); };
  const ScheduleOptions o{.max_lr = paper(4000), .min_lr = 0, .warmup = 4000, .total = 100000};
  d.law("4", "1000 η of the paper at t: 2000, 4000, 16000", at({2000, 4000, 16000}, [&](double t) { return 1000 * paper(t); }),
        each(3, [&](int64_t i) {
    return 1000 * optim::inverse_sqrt_schedule(o, i == 0 ? 2000 : i == 1 ? 4000 : 16000);
  }));
}

void wsd() {
  Derivation d("schedule-wsd");
  ScheduleOptions o = kRun;
  o.decay_share = 0.25;
  const double from = 16 - 0.25 * 12;
  d.step("1", "t_d", from);
  d.law("2", "η at t: 4, 13, 14, 15, 16",
        at({4, 13, 14, 15, 16}, [&](double t) { return t < from ? 1 : kHighest - kFall * (t - from) / (16 - from); }),
        rates(optim::warmup_stable_decay_schedule, o, {4, 13, 14, 15, 16}));
  d.step("3", "dη/dt after t_d", -kFall / (0.25 * 12));
  d.law("4", "Σ η over 12 steps", 9 * 1 + 3 * 0.6 + 0.4, sum(12, [&](int64_t t) { return optim::warmup_stable_decay_schedule(o, 4 + t); }));
}

void restarts() {
  Derivation d("schedule-cosine-restarts");
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0.2, .warmup = 4, .total = 32, .cycles = 3, .cycle_growth = 2};
  const double parts = 1 + 2 + 4;
  d.law("1", "1 + ρ + ρ²", parts, (std::pow(2, 3) - 1) / (2 - 1));
  const Numbers lengths{28 / parts, 2 * 28 / parts, 4 * 28 / parts};
  d.step("2", "T of the cycles", lengths);
  d.step("3", "t where they begin", {4, 4 + lengths(0), 4 + lengths(0) + lengths(1)});
  const auto eta = [](double s, double length) { return kLowest + 0.5 * kFall * (1 + std::cos(kPi * s / length)); };
  d.law("4", "η at t: 4, 6, 7, 8", {eta(0, 4), eta(2, 4), eta(3, 4), eta(0, 8)}, rates(optim::cosine_restarts_schedule, o, {4, 6, 7, 8}));
  d.law("5", "η at t: 31, 32", {eta(15, 16), kLowest}, rates(optim::cosine_restarts_schedule, o, {31, 32}));
  d.law("6", "Σ η over 28 steps", 28 * 0.6 + 3 * 0.4, sum(28, [&](int64_t t) { return optim::cosine_restarts_schedule(o, 4 + t); }));
}

void one_cycle() {
  Derivation d("schedule-one-cycle");
  const ScheduleOptions o{.max_lr = 1, .min_lr = 0, .warmup = 0, .total = 20, .rise_share = 0.3, .start_divisor = 5, .end_divisor = 10};
  const double start = 1.0 / 5, end = start / 10, peak = 0.3 * 20;
  d.step("1", "η_0, η_e, t_r", {start, end, peak});
  const auto eta = [&](double t) {
    return t < peak ? start + 0.5 * (1 - start) * (1 - std::cos(kPi * t / peak))
                    : end + 0.5 * (1 - end) * (1 + std::cos(kPi * (t - peak) / (20 - peak)));
  };
  d.law("2", "η at t: 0, 3, 6, 13, 20", at({0, 3, 6, 13, 20}, eta), rates(optim::one_cycle_schedule, o, {0, 3, 6, 13, 20}));
  d.law("3", "dη/dt at t: 6 from the left and from the right",
        {0.5 * (1 - start) * std::sin(kPi * 6 / peak) * kPi / peak, -0.5 * (1 - end) * std::sin(kPi * (6 - peak) / 14) * kPi / 14}, {0, 0});
  const double twice = 4e-6 + (1 - 4e-6) * (1 + std::cos(kPi * 3 / 7)) / 2;
  d.law("4", "η at twice the rise, PyTorch's divisors", twice, optim::one_cycle_schedule({.max_lr = 1, .total = 100}, 60));
  d.step("5", "that of the paper", 1.0 / 25);
  d.step("6", "peak here and there, of 100 steps", {0.3 * 100, 0.3 * 101 - 1});
}

}  // namespace

int main() {
  cosine();
  warmup();
  constant();
  linear();
  polynomial();
  step();
  exponential();
  inverse_sqrt();
  wsd();
  restarts();
  one_cycle();
  return verdict();
}
