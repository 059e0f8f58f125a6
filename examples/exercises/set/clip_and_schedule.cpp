#include "examples/exercises/set/clip_and_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "optim/clip.h"
#include "optim/schedule.h"

namespace gradus::exercises::set {
namespace in_clip_and_schedule {
namespace {

// --- clip ----------------------------------------------------------------------------------------------------------

enum WrongClip { per_tensor, by_value, lengthens, square_for_norm, over_square, sizes_summed, mean_square, norms_summed, largest_value, norm_after,
                 eps_added, condition_reversed, inverted, short_lost };

// The norm of rows from … to − 1.
double norm_with(In g, int from, int to, Made made) {
  double squares = 0, sizes = 0, norms = 0, most = 0;
  for (int i = from; i < to; ++i) {
    double of_row = 0;
    for (int j = 0; j < g.columns; ++j) {
      of_row += g[i][j] * g[i][j];
      sizes += std::abs(g[i][j]);
      most = std::max(most, std::abs(g[i][j]));
    }
    squares += of_row;
    norms += std::sqrt(of_row);
  }
  if (made[sizes_summed]) return sizes;
  if (made[norms_summed]) return norms;
  if (made[largest_value]) return most;
  if (made[mean_square]) squares /= (to - from) * g.columns;
  return made[square_for_norm] ? squares : std::sqrt(squares);
}

Outputs clip_with(const Probe& p, Made made) {
  const In g = p.in("g");
  const double most = p.number("most");
  Sheet sheet("clipped", p["g"].shape);
  const Out clipped = sheet.out();
  const auto factor_of = [&](double norm) {
    const double factor = most / (made[eps_added] ? norm + 1e-6 : norm);
    if (made[short_lost] && norm <= most) return 0.0;
    if (made[condition_reversed]) return norm < most ? factor : 1;
    if (made[inverted]) return norm > most ? 1 / factor : 1;
    return made[lengthens] ? factor : std::min(1.0, factor);
  };
  for (int i = 0; i < g.rows; ++i) {
    const double norm = made[per_tensor] ? norm_with(g, i, i + 1, made) : norm_with(g, 0, g.rows, made);
    for (int j = 0; j < g.columns; ++j) {
      clipped[i][j] = made[by_value] ? std::clamp(g[i][j], -most, most) : factor_of(made[over_square] ? norm * norm : norm) * g[i][j];
    }
  }
  const Array after = sheet.array();
  const In returned = made[norm_after] ? In{g.rows, g.columns, after.numbers.data()} : g;
  return {number("norm", norm_with(returned, 0, g.rows, made)), after};
}

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

Stage clip_stage() {
  return {
      .function = "clip",
      .right = clip_right,
      .with = clip_with,
      .mistakes =
          {
              {per_tensor, "clip/per-tensor", "How many norms are there?"},
              {by_value, "clip/by-value", "Does the clipped gradient point where g points?", "each number is cut to ±most"},
              {lengthens, "clip/lengthens", "What becomes of a gradient that is short enough?", "a short gradient is made as long as the bound"},
              {square_for_norm, "clip/square-for-norm", "g twice as long: how much larger is your norm?", "the sum of the squares without the root"},
              {over_square, "clip/over-square", "How long is g · most / ‖g‖²?", "divided by the square of the norm, though the norm returned is right"},
              {sizes_summed, "clip/sizes-summed", "Which length is it: along the edges, or straight across?", "the sum of the sizes |g| in place of the norm"},
              {mean_square, "clip/mean-square", "A model with more parameters and the same gradients: is its gradient longer?", "the mean of the squares in place of their sum"},
              {norms_summed, "clip/norms-summed", "Two parameters with gradients 3 and 4: how long is (3, 4)?", "the norms of the parameters are added", "DeepSpeed#8475, twinkle PR290"},
              {largest_value, "clip/largest-value", "Does a second large number make your norm larger?", "the largest |g| in place of the norm"},
              {norm_after, "clip/norm-after", "Which norm would you want to see in a log: one that is never above `most`?", "the norm returned is that after clipping"},
              {eps_added, "clip/eps-added", "", "divided by ‖g‖ + 10⁻⁶", "PyTorch", true},
              {condition_reversed, "clip/condition-reversed", "A gradient of length 0.5, and `most` is 1: what becomes of it?", "short gradients are lengthened, and long ones stay"},
              {inverted, "clip/factor-inverted", "A gradient of length 10, and `most` is 1: what is your factor?", "multiplied by ‖g‖ / most, which is above 1"},
              {short_lost, "clip/short-is-zero", "What becomes of a gradient that is short enough?", "a gradient that is short enough becomes 0"},
          },
      .probes = {clip_probe("two parameters of 3", 2, 3, 2, 1, 241), clip_probe("three parameters of 2, short enough", 3, 2, 1, 100, 242),
                 clip_probe("four parameters of 2, all 0", 4, 2, 0, 1, 243), clip_probe("five parameters of 4, of size 10⁻⁶", 5, 4, 1e-6, 2e-6, 244),
                 clip_probe("three parameters of 7, of size 10³", 3, 7, 1e3, 0.5, 245)},
      .laws = {{"what is clipped is at most `most` long", is_short_enough, "By which number is each g multiplied, and what is the length then?"},
               {"clipping keeps the direction", has_its_direction, "Is every number multiplied by the same factor?"},
               {"what is short enough stays as it is", stays_if_short, "What is your factor where the norm is below the bound?"}},
      .hints = {"Which gradient is short enough, and what should become of it?",
                "One loop over all numbers finds the norm, a second one scales them.",
                "Clipping shortens and does not turn: one factor for all parameters, never above 1.",
                "‖g‖ is the root of the sum of all squares, and the factor is most / ‖g‖ where ‖g‖ is larger than most. The norm from before is returned."},
  };
}

// --- rate ----------------------------------------------------------------------------------------------------------

enum WrongRate { fall_in_warmup, fall_over_run, no_length, rises_again, ends_at_zero, falls_to_zero, half_missing, half_is_zero, whole_cosine,
                 upside_down, degrees, straight, warmup_whole, fall_whole, warmup_from_low, zero_warmup, warmup_from_one, warmup_between, pi_missing, warmup_constant, one_missing,
                 one_and_half_missing, low_not_subtracted, low_added, quarter_turn, sine, warmup_of_total };

struct Plan {
  int warmup, total;
  double high, low;
};
Plan plan_of(const Probe& p) {
  const In steps = p.in("warmup, total"), rates = p.in("high, low");
  return {static_cast<int>(steps[0][0]), static_cast<int>(steps[0][1]), rates[0][0], rates[0][1]};
}

double rate_with(const Plan& plan, int t, Made made) {
  const double w = plan.warmup, n = plan.total, low = made[falls_to_zero] ? 0 : plan.low;
  if (t < plan.warmup || (made[zero_warmup] && t == plan.warmup)) {
    if (made[warmup_constant]) return plan.high / w;
    if (made[warmup_of_total]) return plan.high * t / n;
    const double begun = made[warmup_whole] ? 0 : made[warmup_from_one] ? (t + 1) / w : made[warmup_between] ? (t + 1) / (w + 1) : t / w;
    return made[warmup_from_low] ? plan.low + (plan.high - plan.low) * begun : plan.high * begun;
  }
  const bool has_end = !made[rises_again] && !made[no_length];
  if (t >= plan.total && has_end) return made[ends_at_zero] ? 0 : low;
  double u = made[fall_in_warmup] ? t / n : made[fall_over_run] ? (t - w) / n : (t - w) / (n - w);
  if (made[no_length] && u > 1) u = 1;
  if (made[fall_whole]) u = std::floor(u);
  const double angle = (made[degrees] ? 180 : made[pi_missing] ? 1 : std::numbers::pi) * (made[whole_cosine] ? 2 * u : made[quarter_turn] ? u / 2 : u);
  const double wave = made[straight] ? 1 - 2 * u : made[sine] ? std::sin(angle) : std::cos(angle);
  const double half = made[half_is_zero] ? 0 : made[half_missing] || made[one_and_half_missing] || made[quarter_turn] ? 1 : 0.5;
  const double one = made[one_missing] || made[one_and_half_missing] || made[quarter_turn] ? 0 : 1;
  const double range = made[low_not_subtracted] ? plan.high : made[low_added] ? plan.high + low : plan.high - low;
  return low + half * range * (made[upside_down] ? one - wave : one + wave);
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
  return {name, {array("t", {1, static_cast<int>(t.size())}, t),
                 array("warmup, total", {1, 2}, {static_cast<double>(plan.warmup), static_cast<double>(plan.total)}),
                 array("high, low", {1, 2}, {plan.high, plan.low})}};
}

std::string is_right_at_the_ends(const Probe& p, const Outputs& outputs) {
  const Plan plan = plan_of(p);
  for (std::size_t i = 0; i < p["t"].numbers.size(); ++i) {
    const double t = p["t"].numbers[i], got = outputs[0].numbers[i];
    const double expected = t >= plan.total ? plan.low : t == plan.warmup ? plan.high : got;
    if (std::abs(got - expected) > 1e-9 * plan.high) return fmt::format("at t = {} it is {}, not {}", t, beside(got, expected), beside(expected, got));
  }
  return "";
}

std::string stays_between(const Probe& p, const Outputs& outputs) {
  const Plan plan = plan_of(p);
  for (std::size_t i = 0; i < p["t"].numbers.size(); ++i) {
    const double t = p["t"].numbers[i], got = outputs[0].numbers[i], least = t < plan.warmup ? 0 : plan.low;
    if (got < least - 1e-9 * plan.high || got > plan.high * (1 + 1e-9)) {
      return fmt::format("at t = {} it is {}, not between {} and {}", t, beside(got, got < least ? least : plan.high), beside(least, got), beside(plan.high, got));
    }
  }
  return "";
}

Stage rate_stage() {
  return {
      .function = "rate",
      .right = rate_right,
      .with = [](const Probe& p, Made made) { return rates(p, [&](int t) { return rate_with(plan_of(p), t, made); }); },
      .mistakes =
          {
              {fall_in_warmup, "schedule/decay-in-warmup", "What is u when the warm-up ends?"},
              {fall_over_run, "schedule/fall-over-run", "How many steps does the fall take: all, or those after the warm-up?", "u = (t − warmup) / total, so the fall is cut off at the end", "timm PR2312"},
              {no_length, "schedule/zero-length", "What is 0/0, and when does your u become that?", "with a warm-up as long as the run u is 0/0 at its end", "DeepSpeed PR8142, torchtitan PR1010, xtuner PR1285"},
              {rises_again, "schedule/rises-again", "Where is a cosine after half a turn?", "after `total` the cosine goes on, up again", "UniRL PR223"},
              {ends_at_zero, "schedule/ends-at-zero", "What is the rate after the last step of the fall?", "from `total` on the rate is 0, not low"},
              {falls_to_zero, "schedule/falls-to-zero", "Where does the fall end?", "the fall is from high to 0, low is not used"},
              {half_missing, "schedule/half-missing", "How large is 1 + cos 0?", "the ½ is missing: the fall begins at 2 high − low"},
              {half_is_zero, "schedule/half-is-zero", "What is 1 / 2 in C++?", "1 / 2 of whole numbers is 0, so the rate is low all the way"},
              {whole_cosine, "schedule/whole-cosine", "How much of a turn does the cosine make from high to low?", "a whole turn of the cosine: down to low at half of the time, and up again"},
              {upside_down, "schedule/upside-down", "Is 1 + cos 0 the largest value, or the smallest?", "1 − cos: from low up to high"},
              {degrees, "schedule/degrees", "In which unit does std::cos take an angle?", "the cosine gets degrees; it takes radians"},
              {straight, "schedule/straight", "How steep is the fall where it begins?", "the fall is a straight line, not half a cosine"},
              {warmup_whole, "schedule/warmup-of-whole-numbers", "What is 3 / 4 in C++?", "t / warmup is a division of whole numbers: 0 until the warm-up ends"},
              {fall_whole, "schedule/fall-of-whole-numbers", "What is 3 / 4 in C++?", "u is a division of whole numbers: the rate stays high, and drops at the end"},
              {warmup_from_low, "schedule/warmup-from-low", "What is the rate of step 0?", "the warm-up begins at low, not at 0"},
              {zero_warmup, "schedule/zero-warmup", "Which of the three cases has t = 0 if there is no warm-up?", "t = warmup is taken for the warm-up's: without one that is 0/0"},
              {warmup_from_one, "schedule/first-step-0", "", "the warm-up is (t + 1) / warmup, so that the first step is not lost", "torchtitan PR1261, tinygrad PR10981", true},
              {warmup_between, "schedule/warmup-between", "", "the warm-up is (t + 1) / (warmup + 1): neither a step of rate 0 nor two of the highest", "", true},
              {pi_missing, "schedule/pi-missing", "What is cos 1, and what should the cosine be at the end of the fall?", "cos u, where cos(π u) is meant"},
              {warmup_constant, "schedule/warmup-constant", "Is the rate of step 3 larger than that of step 2?", "the rate of the whole warm-up is high / warmup"},
              {one_missing, "schedule/one-missing", "How low does ½ cos πu go?", "low + ½ (high − low) cos πu: the 1 is missing"},
              {one_and_half_missing, "schedule/one-and-half-missing", "How low does cos πu go?", "low + (high − low) cos πu, which falls below low"},
              {low_not_subtracted, "schedule/low-not-subtracted", "What is the rate where the fall begins, and is it high?", "low + ½ high (1 + cos πu): low is not subtracted from high"},
              {low_added, "schedule/low-added", "What is the rate where the fall begins, and is it high?", "low + ½ (high + low) (1 + cos πu)"},
              {quarter_turn, "schedule/quarter-turn", "How steep is the fall where it ends?", "low + (high − low) cos(πu / 2): a quarter of a turn, which ends steeply"},
              {sine, "schedule/sine", "What are sin 0 and sin π, and what should the curve be there?", "sin πu, where cos πu is meant"},
              {warmup_of_total, "schedule/warmup-over-run", "What is the rate at the end of your warm-up?", "high · t / total in the warm-up, where t / warmup is meant"},
          },
      .probes = {rate_probe("a warm-up of 4 in 12 steps", {0, 2, 3, 4, 7, 12, 13}, {4, 12, 1, 0.2}),
                 rate_probe("no warm-up, 10 steps", {0, 1, 4, 9, 10, 11}, {0, 10, 2, 0.1}),
                 rate_probe("a warm-up as long as the run, 5 steps", {0, 4, 5, 6}, {5, 5, 1, 0.3}),
                 rate_probe("a run of one step", {0, 1, 2}, {0, 1, 0.5, 0.1}),
                 rate_probe("a warm-up of 100 in 1000 steps", {0, 99, 100, 325, 999, 1000, 1001}, {100, 1000, 3e-4, 3e-5})},
      .laws = {{"the rate is high at the end of the warm-up, and low from `total` on", is_right_at_the_ends, "What is u at the end of the warm-up, and what at `total`?"},
               {"the rate never leaves 0 … high, and after the warm-up low … high", stays_between, "Between which two numbers does your cosine lie, and what is done to it?"}},
      .hints = {"What is the rate at t = warmup, seen from both sides? And at t = total?",
                "The three cases, from the top down. With warmup = 0, and with warmup = total, nothing may be divided by 0.",
                "The rate has no jump at warmup and none at total, and never leaves 0 … high.",
                "After the warm-up u is the share of the fall that is over, a double from 0 to 1, and the rate is low plus half of high − low, times 1 + cos πu."},
  };
}

}  // namespace
}  // namespace in_clip_and_schedule

Functions clip_and_schedule(double (*clip)(In, double, Out), double (*rate)(int, int, int, double, double)) {
  using namespace in_clip_and_schedule;
  return {[=](const Probe& p) {
            Sheet clipped("clipped", p["g"].shape);
            const double norm = clip(p.in("g"), p.number("most"), clipped.out());
            return Outputs{number("norm", norm), clipped.array()};
          },
          [=](const Probe& p) {
            const Plan plan = plan_of(p);
            return rates(p, [&](int t) { return rate(t, plan.warmup, plan.total, plan.high, plan.low); });
          }};
}

Exercise clip_and_schedule_exercise() {
  return {
      .number = 24,
      .id = "clip-and-schedule",
      .title = "Clipping, and the learning rate",
      .section = "ch10-schedules.md#schedule-cosine",
      .needs = {},
      .minutes = 25,
      .done = "One norm for all, and a fall that begins where the warm-up ends; and whole numbers divided as whole numbers are the C++ of it.",
      .stages = {in_clip_and_schedule::clip_stage(), in_clip_and_schedule::rate_stage()},
      .also = {"ch10.md#optim-clip", "ch10-schedules.md#schedule-warmup"},
  };
}

}  // namespace gradus::exercises::set
