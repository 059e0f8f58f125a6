// A deep, narrow network on real images: does what the gradient does at the start decide whether it learns?
#pragma once

#include <functional>

#include "examples/shared/data/digits.h"
#include "nn/sequential.h"

namespace gradus::examples {

// 64 pixels, `layers` hidden layers of width 64, 10 scores. Weights N(0, gain²/64), biases 0.
struct DeepNet {
  nn::Activation f;
  double gain = 1;
  int layers = 20;
  double rate = 0.01;
  int steps = 200;
  double momentum = 0.9;
};

// At its start: a linear map and f by turns.
nn::Sequential untrained(const DeepNet& shape, std::uint64_t seed);
// After its steps of SGD with momentum, batches of 64, or as soon as it is enough, which is asked every 10 steps. A seed draws
// the same weights, but for the gain, and the same batches.
nn::Sequential trained(const DeepNet& shape, const Digits& digits, std::uint64_t seed,
                       const std::function<bool(nn::Sequential&)>& enough = nullptr);

// How many percent of the held-out digits are right after this training: one number a seed, sorted.
std::vector<double> right_after_training(const DeepNet& shape, const Digits& digits, std::uint64_t first_seed, int seeds);

}  // namespace gradus::examples
