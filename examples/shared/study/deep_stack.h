// Deep stacks, and what they do to activations and gradients before training.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/study/signal.h"
#include "optim/schedule.h"

namespace gradus::examples {

struct StackChoice {
  nn::PlacementChoice placement = "pre";
  int64_t depth = 24;
  std::string init = "xavier-normal", feed_forward = "relu";
  int64_t d_model = 64, context = 32, batch = 4, heads = 4;
};

// A model of bytes with layer norm, whose embedding begins with variance 1.
nn::LanguageModelOptions options_of(const StackChoice& choice);
nn::LanguageModel stack_of(const StackChoice& choice);

// That model after `steps` steps of AdamW on random windows of the corpus, at the rate and the warm-up of `rate`. `look` sees
// each step before it changes the model, with its loss.
using LookAtStep = std::function<void(int64_t step, nn::LanguageModel& model, double loss)>;
nn::LanguageModel trained_stack(const StackChoice& choice, const optim::ScheduleOptions& rate, int64_t steps, const Corpus& corpus,
                                std::uint64_t seed, const LookAtStep& look = nullptr);

// Before training, for random bytes: [0] is the embedding, [l] the stream after block l. Geometric means over seeds.
struct Profile {
  std::vector<double> variance;            // of the stream
  std::vector<double> gradient;            // ‖dL/dx_l‖ / ‖dL/dx_L‖
  std::vector<double> low, high;           // of that, over the seeds
  std::vector<double> parameter_gradient;  // of block l, over that of the last; [0] belongs to no block
};
Profile at_the_start(const StackChoice& choice, std::uint64_t seed, int64_t seeds);

}  // namespace gradus::examples
