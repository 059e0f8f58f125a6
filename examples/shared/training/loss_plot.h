// The picture of a language model that learns: its loss against the step, and what counting alone reaches as lines across.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/data/ngrams.h"
#include "examples/shared/report/plot.h"

namespace gradus::examples {

struct LossCurve {
  std::vector<double> steps, losses;  // losses[i] after steps[i] steps, in nats per byte
  void add(double step, double loss);
};

// At most `points` points, each the mean of its neighbours: one batch alone is noisy.
LossCurve smoothed(const LossCurve& curve, std::size_t points);

// The first step at which the curve lies below a line; -1 if it never does.
double first_below(const LossCurve& curve, double line);

// The validation loss, of which dots mark where it was first seen below one of the n-gram lines. Beside a training loss it
// is dots alone: it is measured seldom, and a line between two of them would say what nobody has seen.
Plot loss_plot(const LossCurve& training, const LossCurve& validation, const NgramLines& lines);

}  // namespace gradus::examples
