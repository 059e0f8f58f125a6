#include "examples/ch11_language_model/learning.h"

namespace gradus::examples {
namespace {

// Often at the beginning, when much happens.
bool due(int64_t step, int64_t last) { return step == last || step % (step <= 50 ? 5 : step <= 120 ? 10 : step <= 300 ? 20 : 50) == 0; }

}  // namespace

TrainOptions small_run(int64_t steps, std::uint64_t seed) {
  TrainOptions o;
  o.model = {.context = 64, .d_model = 64, .layers = 2, .heads = 4, .tie_weights = false};
  o.schedule.total = steps;
  o.schedule.max_lr = 6e-3;
  o.batch = 16;
  o.seed = seed;
  fill_defaults(o);
  return o;
}

Learned learn(Trainer& trainer, int64_t steps, const NgramLines& lines) {
  const std::vector<std::pair<std::string, double>> heights{
      {"guess", lines.guess}, {"unigram", lines.unigram}, {"bigram", lines.bigram}, {"trigram", lines.trigram}};
  Learned learned;
  for (int64_t step = 0; step <= steps; ++step) {
    if (step > 0) trainer.step();
    if (!due(step, steps)) continue;
    const double loss = trainer.validate();
    learned.validation.add(static_cast<double>(step), loss);
    while (step > 0 && learned.passed.size() < heights.size() && loss < heights[learned.passed.size()].second) {
      const auto& [line, height] = heights[learned.passed.size()];
      learned.passed.push_back({line, height, step, loss, trainer.sample(160)});
    }
  }
  return learned;
}

}  // namespace gradus::examples
