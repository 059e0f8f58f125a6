// The smallest of networks in which batch, group and instance norm stand as they were meant to: convolution, norm, ReLU,
// pooling, three times over.
#pragma once

#include <string>

#include "examples/shared/data/digits.h"
#include "nn/sequential.h"

namespace gradus::examples {

// From images [N, 1, 8, 8] to scores [N, 10, 1, 1]. The norm, each with γ and β: "batch", "group" (4 groups), "instance",
// "layer" (over C, H and W), or "none".
nn::Sequential digit_net(const std::string& norm);

struct DigitRun {
  std::vector<double> losses;  // of each step's batch, before the step
  double right = 0;            // share of the held-out digits, in eval mode
};

struct DigitTraining {
  int64_t batch = 32;
  int64_t images = 3200;  // seen in all, so images / batch steps
};

// SGD with momentum 0.9 and rate 0.03 · batch / 32. The same seed draws the same weights and batches for every norm.
DigitRun train_on_digits(const std::string& norm, const Digits& digits, std::uint64_t seed, const DigitTraining& training = {});

}  // namespace gradus::examples
