// Feed-forward layers against each other: the same small language model with each of them, as many parameters, one text.
#pragma once

#include "examples/shared/report/chapter.h"
#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::examples {

constexpr int64_t kWidth = 48;  // d: 4d = 192 and 8d/3 = 128, both multiples of 64

// A layer of the library's table, of the usual width and without biases.
nn::LayerPtr layer_of(const nn::FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of = 64);

struct Contestant {
  std::string name;
  nn::FeedForwardChoice layer;
  bool wrong = false;               // a published mistake
  int64_t parameters = 0;           // of one such layer in the model
  std::vector<double> losses = {};  // in nats a byte on validation text, one a seed
  double mean() const;
};

// The first is the baseline: the layer of 2017. All of one seed see the same batches.
std::vector<Contestant> ablation(int64_t steps, int64_t seeds, std::uint64_t first_seed);

// The greatest loss less the least.
double range_of(const std::vector<double>& losses);

// The loss of one less that of another, seed by seed: what both owe to the seed's batches and initial weights is gone.
struct Pairs {
  double mean, spread;
  int64_t lower, seeds;  // at how many of the seeds it is below 0
  // The difference has one sign at every seed, and its mean is further from 0 than the seeds are from each other.
  bool better() const { return lower == seeds && -mean > spread; }
  bool worse() const { return lower == 0 && mean > spread; }
};
Pairs pairs_of(const Contestant& one, const Contestant& other);

// The losses, and how many differ from the first.
void write_ablation(Chapter& chapter, const std::vector<Contestant>& all, int64_t steps);

}  // namespace gradus::examples
