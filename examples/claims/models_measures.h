// What the claims of models and of optimisation measure.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/options/train_options.h"

namespace gradus::examples {

// After training, on validation text: the mean of |log Z|, Z = Σ eᶻ, and that of the greatest |z| of each position.
std::vector<double> logit_sizes(const TrainOptions& options, const Corpus& corpus);

// The parameters of a model are linear in its ids and in its blocks: three small models tell of all of their width.
struct ParameterCount {
  int64_t one;  // of one id and one block
  int64_t each_id, each_block;
  double of(int64_t vocabulary, int64_t layers) const;
};
ParameterCount parameter_count(int64_t d_model, bool tied);

// The same model with that inner width of the feed-forward layer which brings it nearest to `parameters` parameters.
TrainOptions with_parameters(TrainOptions options, int64_t parameters);
// The same of another width and depth, with heads of 8.
TrainOptions of_shape(const TrainOptions& options, int64_t d_model, int64_t layers, int64_t parameters);

// How much more weight decoupled decay leaves than L2 through the gradient, or less, after 4,000 steps of nothing but noise
// of this scale. The optimizer: "sgd" or "adam".
double decay_apart(const std::string& optimizer, double scale, std::uint64_t seed);

}  // namespace gradus::examples
