// Cell: one training run of an ablation. It differs from the others by variants of the model's families and by its seed, and
// all that comes of it is one number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/options/train_options.h"
#include "examples/shared/training/trainer.h"

namespace gradus::examples {

// A --seed stands for a thousand seeds of runs, from 1000 times itself on.
constexpr std::uint64_t kGreatestSeed = (~std::uint64_t{0} - 999) / 1000;

// A family by its name among the options ("norm", "feed_forward") and the members of it that take part.
struct Factor {
  std::string family;
  std::vector<std::string> variants;  // the baseline's first
};

// Another member of a family. ValueError, with the nearest name, for a family or a variant that there is not.
void vary(TrainOptions& options, const std::string& family, const std::string& variant);

// A model too small to be good, and quick: width 32, two layers, windows of 32 bytes. Its feed-forward layer has as many
// parameters with a gate as without.
TrainOptions small_model(int64_t steps);

// All combinations of the factors' variants, each `base` with the others' place taken by them, the last factor fastest:
// [0] has the first variant of each.
std::vector<TrainOptions> cross(const TrainOptions& base, const std::vector<Factor>& factors);

// Why the library refuses these variants together; empty when it does not.
std::string why_not(const TrainOptions& cell);

// The same for the same run, and for no other: of every option that decides its result, and the text.
std::string key_of(const TrainOptions& cell, const Corpus& corpus);

// All steps, each told of; false if one had a loss or a gradient that is not finite.
bool train_through(Trainer& trainer, const TrainOptions& cell, const std::function<void(const StepResult&)>& tell);
constexpr int64_t kValidationBatches = 24;  // spread over the validation text

// Trains, and returns the loss on the validation text in nats; NaN if it diverged. Same options, same bits.
double train_cell(const TrainOptions& cell, const Corpus& corpus);
// The loss on the same windows of one that only counts the training text: its bytes (n = 1) or its pairs of bytes
// (n = 2).
double counting_loss(const TrainOptions& cell, const Corpus& corpus, int n = 1);

}  // namespace gradus::examples
