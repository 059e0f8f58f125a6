// Activations in a network that learns digits, the deeper the harder.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/report/chapter.h"
#include "nn/activation/activation.h"

namespace gradus::examples {

struct DeepActivation {
  std::string name;
  nn::Activation f;
  double gain;  // of the weights before it
};

// Trains each with 1, 5, 10 and 20 hidden layers: the series and the numbers digits.NAME.
void deep_digits(Chapter& chapter, const std::vector<DeepActivation>& activations);

}  // namespace gradus::examples
