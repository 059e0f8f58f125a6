// The loss of a language model that learns, against the step.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus::examples {

struct LossCurve {
  std::vector<double> steps, losses;  // losses[i] after steps[i] steps, in nats per byte
  void add(double step, double loss);
};

// At most `points` points, each the mean of its neighbours: one batch alone is noisy.
LossCurve smoothed(const LossCurve& curve, std::size_t points);

}  // namespace gradus::examples
