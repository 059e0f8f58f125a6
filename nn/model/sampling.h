// Drawing the next id from a model's scores.
#pragma once

#include <optional>

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace gradus::nn {

struct SampleOptions {
  int64_t count = 200;       // ids to add; ValueError when negative
  bool greedy = false;       // always the likeliest id, of equal ones the first, whatever temperature, top_k and top_p
  double temperature = 0.8;  // the scores are divided by it; ValueError unless in [1e-30, 1e30]
  int64_t top_k = 0;         // k > 0: only the k likeliest ids (Fan et al., 2018); ValueError when negative
  double top_p = 1;          // only the fewest ids of this probability together (Holtzman et al., 2020); ValueError unless in (0, 1]
  int64_t limit = 0;         // n > 0: only ids below n; ValueError when negative
  std::optional<int64_t> class_id = {};  // whose condition the model is given; ValueError for a model without classes
};
void check_options(const SampleOptions& options);

// One id from softmax(scores / temperature), cut by top_k, then by top_p, and scaled to sum to 1 again; of equal ids the first
// is likelier. Takes one number from the generator, unless greedy. scores [vocabulary] (ShapeError); ValueError if their softmax is NaN.
int64_t draw(const Tensor& scores, const SampleOptions& options, Generator& generator);

}  // namespace gradus::nn
