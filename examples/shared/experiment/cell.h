// Cell: one training run of an ablation. It differs from the others by variants of the model's families and by its seed, and
// all that comes of it is one number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/experiment/factors.h"
#include "examples/shared/options/train_options.h"
#include "examples/shared/training/trainer.h"

namespace gradus::examples {

// A --seed stands for a thousand seeds of runs: the first of them; those for trials, which the runs that count do not have, begin
// kTrials later. ValueError for one that has no thousand.
std::uint64_t first_seed(std::uint64_t seed);
constexpr std::uint64_t kTrials = 500;
// The cell with the seeds first, first + 1, …
std::vector<TrainOptions> with_seeds(const TrainOptions& cell, std::uint64_t first, int64_t count);

// Another member of a family. ValueError, with the nearest name, for a family or a variant that there is not.
void vary(TrainOptions& options, const std::string& family, const std::string& variant);

// A model too small to be good, and quick: width 32, two layers, windows of 32 bytes. Its feed-forward layer has as many
// parameters with a gate as without.
TrainOptions small_model(int64_t steps);

// `base` with each combination of the families' variants: [0] has the first of each. See crossed().
std::vector<TrainOptions> cross(const TrainOptions& base, const std::vector<Factor>& families);

// The highest learning rate, and a tenth of it at the end.
TrainOptions with_rate(TrainOptions cell, double rate);
// So many steps in all, and as large a share of them for the warm-up.
TrainOptions of_steps(TrainOptions cell, int64_t steps);

int64_t parameters_of(const TrainOptions& cell);
// The width of the feed-forward layer with which the whole model is nearest to `parameters` parameters; below 1 if none is.
int64_t fitted_width(const TrainOptions& cell, int64_t parameters);

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
