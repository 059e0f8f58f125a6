#include "examples/claims/placement_training.h"

#include <algorithm>
#include <cmath>

#include "examples/shared/study/deep_stack.h"

namespace gradus::examples {

Warmup warmup_at(const Where& where) {
  const std::string& warmup = level(where, "warm-up");
  return warmup == "none" ? Warmup::none : warmup == "half" ? Warmup::half : Warmup::a_tenth;
}

TrainOptions deep_run(const Lab& lab, const std::string& placement, int64_t blocks, Warmup warmup) {
  const int64_t steps = lab.full() ? 1000 : 300;
  TrainOptions run = small_model(steps);
  run.model = options_of({.placement = placement, .depth = blocks, .d_model = 32, .heads = 2});
  run.schedule.warmup = warmup == Warmup::none ? 0 : warmup == Warmup::half ? steps / 2 : steps / 10;
  return with_rate(run, 1e-3);
}

TrainOptions with_rate(TrainOptions run, double rate) {
  run.schedule.max_lr = rate;
  run.schedule.min_lr = rate / 10;
  return run;
}

std::vector<double> loss_over_rates(Lab& lab, const TrainOptions& run) {
  std::vector<double> means(static_cast<std::size_t>(lab.seeds()));
  for (const double rate : kTriedRates) {
    const std::vector<double> losses = lab.losses(with_rate(run, rate));
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] += std::min(losses[i], std::log(256.0)) / static_cast<double>(std::size(kTriedRates));
    }
  }
  return means;
}

}  // namespace gradus::examples
