#include "examples/shared/training/loss_curve.h"

#include <algorithm>

namespace gradus::examples {

void LossCurve::add(double step, double loss) {
  steps.push_back(step);
  losses.push_back(loss);
}

LossCurve smoothed(const LossCurve& curve, std::size_t points) {
  const std::size_t count = curve.losses.size(), width = (count + points - 1) / points;
  LossCurve means;
  for (std::size_t from = 0; from < count; from += width) {
    const std::size_t to = std::min(from + width, count);
    double step = 0, loss = 0;
    for (std::size_t i = from; i < to; ++i) {
      step += curve.steps[i] / static_cast<double>(to - from);
      loss += curve.losses[i] / static_cast<double>(to - from);
    }
    means.add(step, loss);
  }
  return means;
}

}  // namespace gradus::examples
