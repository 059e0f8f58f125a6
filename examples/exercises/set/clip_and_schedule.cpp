#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/clip_and_schedule.h"
#include "optim/clip.h"
#include "optim/schedule.h"

namespace gradus::exercises::set {
namespace in_clip_and_schedule {
namespace {

Outputs clip_right(const Probe& p) {
  const Tensor g = tensor_of(p["g"]);
  Tensors parameters, clipped;
  for (int64_t i = 0; i < g.size(0); ++i) {
    parameters.push_back(zeros({g.size(1)}, DType::f64).set_requires_grad());
    parameters.back().set_grad(g[i]);
  }
  const double norm = optim::clip_grad_norm(parameters, p.number("most"));
  for (const Tensor& one : parameters) clipped.push_back(one.grad());
  return {number("norm", norm), array_of("clipped", stack(clipped))};
}

Probe clip_probe(const std::string& name, int rows, int n, double size, double most, std::uint64_t seed) {
  Array g = drawn("g", {rows, n}, seed, size, 0.3);
  for (double& one : g.numbers) one = size == 0 ? 0 : one;
  return {name, {g, number("most", most)}};
}

double length_of(const Array& array) {
  double squares = 0;
  for (double one : array.numbers) squares += one * one;
  return std::sqrt(squares);
}

std::string is_short_enough(const Probe& p, const Outputs& outputs) {
  const double length = length_of(outputs[1]), most = p.number("most");
  return length <= most * (1 + 1e-9) ? "" : fmt::format("it is {}, and `most` is {}", beside(length, most), beside(most, length));
}

std::string has_its_direction(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&g = p["g"].numbers, &clipped = outputs[1].numbers;
  double dot = 0;
  for (std::size_t i = 0; i < g.size(); ++i) dot += g[i] * clipped[i];
  const double both = length_of(p["g"]) * length_of(outputs[1]);
  return dot >= both * (1 - 1e-9) ? "" : fmt::format("the cosine of the angle is {:.6f}", dot / both);
}

std::string stays_if_short(const Probe& p, const Outputs& outputs) {
  if (length_of(p["g"]) > p.number("most")) return "";
  const double length = length_of(outputs[1]), expected = length_of(p["g"]);
  return std::abs(length - expected) <= 1e-9 * expected ? "" : fmt::format("it was {:.4g} long, and is {:.4g}", expected, length);
}

struct Plan {
  int warmup, total;
  double high, low;
};
Plan plan_of(const Probe& p) {
  const In steps = p.in("warmup, total"), rates = p.in("high, low");
  return {static_cast<int>(steps[0][0]), static_cast<int>(steps[0][1]), rates[0][0], rates[0][1]};
}

template <typename Rate> Outputs rates(const Probe& p, const Rate& rate) {
  std::vector<double> numbers;
  for (double t : p["t"].numbers) numbers.push_back(rate(static_cast<int>(t)));
  return {array("rates", p["t"].shape, numbers)};
}

Outputs rate_right(const Probe& p) {
  const Plan plan = plan_of(p);
  const optim::ScheduleOptions options = {.max_lr = plan.high, .min_lr = plan.low, .warmup = plan.warmup, .total = plan.total};
  return rates(p, [&](int t) { return optim::cosine_schedule(options, t); });
}

Probe rate_probe(const std::string& name, const std::vector<double>& t, const Plan& plan) {
  return {name,
          {array("t", {1, static_cast<int>(t.size())}, t),
           array("warmup, total", {1, 2}, {static_cast<double>(plan.warmup), static_cast<double>(plan.total)}),
           array("high, low", {1, 2}, {plan.high, plan.low})}};
}

std::string is_right_at_the_ends(const Probe& p, const Outputs& outputs) {
  const Plan plan = plan_of(p);
  for (std::size_t i = 0; i < p["t"].numbers.size(); ++i) {
    const double t = p["t"].numbers[i], got = outputs[0].numbers[i];
    const double expected = t >= plan.total ? plan.low : t == plan.warmup ? plan.high : got;
    if (std::abs(got - expected) > 1e-9 * plan.high)
      return fmt::format("at t = {} it is {}, not {}", t, beside(got, expected), beside(expected, got));
  }
  return "";
}

std::string stays_between(const Probe& p, const Outputs& outputs) {
  const Plan plan = plan_of(p);
  for (std::size_t i = 0; i < p["t"].numbers.size(); ++i) {
    const double t = p["t"].numbers[i], got = outputs[0].numbers[i], least = t < plan.warmup ? 0 : plan.low;
    if (got < least - 1e-9 * plan.high || got > plan.high * (1 + 1e-9)) {
      return fmt::format("at t = {} it is {}, not between {} and {}", t, beside(got, got < least ? least : plan.high), beside(least, got),
                         beside(plan.high, got));
    }
  }
  return "";
}

}  // namespace
}  // namespace in_clip_and_schedule

Functions clip_and_schedule(double (*clip)(In, double, Out), double (*rate)(int, int, int, double, double)) {
  using namespace in_clip_and_schedule;
  return {by_names(clip, {"g", "most", "clipped = g"}, "norm"), [=](const Probe& p) {
            const Plan plan = plan_of(p);
            return rates(p, [&](int t) { return rate(t, plan.warmup, plan.total, plan.high, plan.low); });
          }};
}

Exercise clip_and_schedule_exercise() {
  using namespace in_clip_and_schedule;
  return made_clip_and_schedule::exercise({
      {
          .right = clip_right,
          .probes = {clip_probe("two parameters of 3", 2, 3, 2, 1, 241),
                     clip_probe("three parameters of 2, short enough", 3, 2, 1, 100, 242),
                     clip_probe("four parameters of 2, all 0", 4, 2, 0, 1, 243),
                     clip_probe("five parameters of 4, of size 10⁻⁶", 5, 4, 1e-6, 2e-6, 244),
                     clip_probe("three parameters of 7, of size 10³", 3, 7, 1e3, 0.5, 245)},
          .laws = {{"what is clipped is at most `most` long", is_short_enough,
                    "By which number is each g multiplied, and what is the length then?"},
                   {"clipping keeps the direction", has_its_direction, "Is every number multiplied by the same factor?"},
                   {"what is short enough stays as it is", stays_if_short, "What is your factor where the norm is below the bound?"}},
      },
      {
          .right = rate_right,
          .probes = {rate_probe("a warm-up of 4 in 12 steps", {0, 2, 3, 4, 7, 12, 13}, {4, 12, 1, 0.2}),
                     rate_probe("no warm-up, 10 steps", {0, 1, 4, 9, 10, 11}, {0, 10, 2, 0.1}),
                     rate_probe("a warm-up as long as the run, 5 steps", {0, 4, 5, 6}, {5, 5, 1, 0.3}),
                     rate_probe("a run of one step", {0, 1, 2}, {0, 1, 0.5, 0.1}),
                     rate_probe("a warm-up of 100 in 1000 steps", {0, 99, 100, 325, 999, 1000, 1001}, {100, 1000, 3e-4, 3e-5})},
          .laws = {{"the rate is high at the end of the warm-up, and low from `total` on", is_right_at_the_ends,
                    "What is u at the end of the warm-up, and what at `total`?"},
                   {"the rate never leaves 0 … high, and after the warm-up low … high", stays_between,
                    "Between which two numbers does your cosine lie, and what is done to it?"}},
      },
  });
}

}  // namespace gradus::exercises::set
