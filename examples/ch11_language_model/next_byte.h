// From scores to the next byte: temperature and cuts, their entropy, and what a model then writes.
#pragma once

#include <string>

#include "examples/shared/report/chapter.h"
#include "examples/shared/training/trainer.h"

namespace gradus::examples {

// softmax(scores / T) of scores [V], with all but the top_k likeliest left out if that is not 0; at T = 0 the limit: the
// likeliest alone (of equals the first).
Tensor distribution(const Tensor& scores, double temperature, int64_t top_k);

double entropy(const Tensor& p);  // -Σ p log p, in nats; 0 log 0 is 0

// The same scores at temperatures 0, 0.5, 1, 2 and the reader's, and cut to the likeliest five: bars, entropies, samples.
void sampling(Chapter& chapter, Trainer& trainer, double temperature, const std::string& prompt);

}  // namespace gradus::examples
