#include "examples/claims/placement_training.h"

#include <algorithm>
#include <cmath>

#include "examples/shared/study/deep_stack.h"

namespace gradus::examples {

Warmup warmup_at(const Where& where) {
  const std::string& warmup = level(where, "warm-up");
  return warmup == "none" ? Warmup::none : warmup == "half" ? Warmup::half : warmup == "a quarter" ? Warmup::a_quarter : Warmup::a_tenth;
}

int64_t deep_steps(const Lab& lab) { return lab.full() ? 1000 : 300; }

TrainOptions deep_run(const std::string& placement, int64_t blocks, Warmup warmup, int64_t steps) {
  TrainOptions run = small_model(steps);
  run.model = options_of({.placement = placement, .depth = blocks, .d_model = 32, .heads = 2});
  run.schedule.warmup = warmup == Warmup::none        ? 0
                        : warmup == Warmup::half      ? steps / 2
                        : warmup == Warmup::a_quarter ? steps / 4
                                                      : steps / 10;
  return with_rate(run, 1e-3);
}

TrainOptions deep_run(const Where& where, const std::string& placement) {
  return deep_run(placement, whole_at(where, "blocks"), warmup_at(where), whole_at(where, "steps"));
}

Arm arm_over_rates(Lab& lab, const std::string& name, const TrainOptions& run) {
  Arm mean;
  for (const double rate : kTriedRates) {
    const Arm one = lab.arm(name, with_rate(run, rate));
    if (mean.losses.empty()) mean = {.name = name, .losses = std::vector<double>(one.losses.size()), .line = one.line};
    mean.commits.insert(one.commits.begin(), one.commits.end());
    for (std::size_t i = 0; i < one.losses.size(); ++i) {
      mean.losses[i] += std::min(one.losses[i], std::log(256.0)) / static_cast<double>(std::size(kTriedRates));
    }
  }
  return mean;
}

}  // namespace gradus::examples
