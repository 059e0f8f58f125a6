#include "examples/shared/study/deep_stack.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "nn/loss/cross_entropy.h"
#include "optim/adam.h"

namespace gradus::examples {

nn::LanguageModelOptions options_of(const StackChoice& choice) {
  return {.context = choice.context,
          .d_model = choice.d_model,
          .layers = choice.depth,
          .heads = choice.heads,
          .norm = "layer",
          .placement = choice.placement,
          .feed_forward = choice.feed_forward,
          .init = choice.init,
          .embedding_scale = choice.init == "gpt2" ? 1 / 0.02 : std::sqrt(static_cast<double>(choice.d_model)),
          .tie_weights = false};
}

nn::LanguageModel stack_of(const StackChoice& choice) { return nn::LanguageModel(options_of(choice)); }

nn::LanguageModel trained_stack(const StackChoice& choice, const optim::ScheduleOptions& rate, int64_t steps, const Corpus& corpus,
                                std::uint64_t seed, const LookAtStep& look) {
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  optim::AdamW optimizer(model.named_parameters(), {});
  Generator batches(seed + 1);
  for (int64_t step = 0; step < steps; ++step) {
    const Batch batch = corpus.random_batch(choice.batch, batches);
    const Tensor loss = nn::cross_entropy(model(batch.inputs), batch.targets);
    if (look) look(step, model, loss.item());
    loss.backward();
    optimizer.step(optim::warmup_schedule(rate, step + 1));
    optimizer.zero_grad();
  }
  return model;
}

Profile at_the_start(const StackChoice& choice, std::uint64_t seed, int64_t seeds) {
  const auto points = static_cast<std::size_t>(choice.depth) + 1;
  Profile all{std::vector<double>(points), std::vector<double>(points), std::vector<double>(points, HUGE_VAL), std::vector<double>(points),
              std::vector<double>(points)};
  const auto share = 1 / static_cast<double>(seeds);
  for (int64_t i = 0; i < seeds; ++i) {
    manual_seed(seed + static_cast<std::uint64_t>(i));
    nn::LanguageModel model = stack_of(choice);
    const Tensor ids = randint(0, 256, {choice.batch, choice.context}), targets = randint(0, 256, {choice.batch, choice.context});
    const std::vector<LayerSignal> signals = layer_signals(model, ids, targets);
    for (std::size_t l = 0; l < points; ++l) {
      const double gradient = signals[l].stream_gradient / signals.back().stream_gradient;
      all.variance[l] += share * std::log(signals[l].activation_variance);
      all.gradient[l] += share * std::log(gradient);
      all.parameter_gradient[l] += share * std::log(signals[l].parameter_gradient / signals.back().parameter_gradient);
      all.low[l] = std::min(all.low[l], gradient);
      all.high[l] = std::max(all.high[l], gradient);
    }
  }
  for (auto* means : {&all.variance, &all.gradient, &all.parameter_gradient}) {
    for (double& x : *means) x = std::exp(x);
  }
  return all;
}

}  // namespace gradus::examples
