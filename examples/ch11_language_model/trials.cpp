#include "examples/ch11_language_model/trials.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

// logZ = log Σ e^z of each position: how high the scores lie, which the cross-entropy does not see.
Tensor log_z(Trainer& trainer, const Corpus& corpus) {
  const NoGrad off;
  return logsumexp(trainer.model()(corpus.validation_batch(0, 16).inputs), -1);
}

}  // namespace

Trial run_trial(const TrainOptions& options, const Corpus& corpus, int64_t seeds) {
  Trial trial;
  for (int64_t i = 0; i < seeds; ++i) {
    TrainOptions seeded = options;
    seeded.seed = options.seed + static_cast<std::uint64_t>(i);
    Trainer trainer(seeded, corpus);
    for (int64_t step = 0; step <= options.schedule.total; ++step) {
      if (step > 0) trainer.step();
      if (i == 0 && step % 5 == 0) trial.drift.add(static_cast<double>(step), mean(log_z(trainer, corpus)).item());
    }
    trial.losses.push_back(trainer.validate(10));
    trial.log_z.push_back(mean(abs(log_z(trainer, corpus))).item());
    trial.parameters = trainer.parameter_count();
  }
  return trial;
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double greatest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

std::string span(const std::vector<double>& values, int decimals) {
  return fixed(least(values), decimals) + " to " + fixed(greatest(values), decimals);
}

Verdict apart(const std::vector<double>& better, const std::vector<double>& worse) {
  if (greatest(better) < least(worse)) return Verdict::confirmed;
  return least(better) > greatest(worse) ? Verdict::refuted : Verdict::undecided;
}

}  // namespace gradus::examples
