#include "examples/support/claims/placement_training.h"

#include <algorithm>
#include <cmath>

#include "examples/support/study/deep_stack.h"

namespace gradus::examples {

Warmup warmup_at(const Where& where) { return level(where, "warm-up") == "none" ? Warmup::none : Warmup::a_tenth; }

std::vector<double> less(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

TrainOptions deep_run(const Lab& lab, const std::string& placement, int64_t blocks, Warmup warmup) {
  const int64_t steps = lab.full() ? 300 : 100;
  TrainOptions run = small_model(steps);
  run.model = options_of({.placement = placement, .depth = blocks, .d_model = 32, .heads = 2});
  run.schedule.warmup = warmup == Warmup::none ? 0 : steps / 10;
  return run;
}

TrainOptions at_rate(TrainOptions run, double rate) {
  run.schedule.max_lr = rate;
  run.schedule.min_lr = rate / 10;
  return run;
}

std::vector<double> rate_sensitivity(Lab& lab, const TrainOptions& run) {
  const auto seeds = static_cast<std::size_t>(lab.seeds());
  std::vector<double> sum(seeds), best(seeds, HUGE_VAL);
  for (const double rate : kTriedRates) {
    const std::vector<double> losses = lab.losses(at_rate(run, rate));
    for (std::size_t i = 0; i < seeds; ++i) {
      const double loss = std::min(losses[i], std::log(256.0));
      sum[i] += loss;
      best[i] = std::min(best[i], loss);
    }
  }
  for (std::size_t i = 0; i < seeds; ++i) sum[i] = sum[i] / static_cast<double>(std::size(kTriedRates)) - best[i];
  return sum;
}

Condition less_sensitive(Lab& lab, const Where& where, const TrainOptions& first, const TrainOptions& second) {
  return {where, less(rate_sensitivity(lab, first), rate_sensitivity(lab, second))};
}

}  // namespace gradus::examples
