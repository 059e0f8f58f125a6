#include "examples/shared/training/loss_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/report/words.h"

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

double first_below(const LossCurve& curve, double line) {
  for (std::size_t i = 0; i < curve.losses.size(); ++i) {
    if (curve.losses[i] < line) return curve.steps[i];
  }
  return -1;
}

namespace {

// A dot for each, which stand for themselves, and a name at the last.
void add_dots(Plot& plot, const LossCurve& curve) {
  Line name{.name = "validation", .x = {}, .y = {}, .colour = "ink"};
  for (std::size_t i = 0; i < curve.steps.size(); ++i) {
    plot.dots.emplace_back(curve.steps[i], curve.losses[i]);
    for (const double y : {curve.losses[i], std::nan("")}) {
      name.x.push_back(curve.steps[i]);
      name.y.push_back(y);
    }
  }
  plot.lines.push_back(name);
}

}  // namespace

Plot loss_plot(const LossCurve& training, const LossCurve& validation, const NgramLines& lines) {
  Plot plot{.title = "Loss against step", .alt = {}, .x = {"step", false, 0}, .y = {"loss (nats per byte)"}, .lines = {}};
  const bool alone = training.steps.empty();
  double last = 1;
  for (const LossCurve* curve : {&training, &validation}) {
    if (!curve->steps.empty()) last = std::max(last, curve->steps.back());
  }
  plot.x.to = last;
  if (alone) {
    plot.lines.push_back({.name = "this model", .x = validation.steps, .y = validation.losses, .colour = "ink"});
  } else {
    plot.lines.push_back({.name = "training", .x = training.steps, .y = training.losses, .colour = "f1"});
    add_dots(plot, validation);
  }
  plot.alt = fmt::format("Line plot. x: step from 0 to {}; y: loss in nats per byte.", shown(last));
  if (!validation.losses.empty()) {
    plot.alt +=
        fmt::format(" On validation text it falls from {} to {}.", shown(validation.losses.front()), shown(validation.losses.back()));
  }
  for (const auto& [name, height] :
       {std::pair{"guess", lines.guess}, {"bytes", lines.unigram}, {"pairs", lines.bigram}, {"triples", lines.trigram}}) {
    const std::string text = fmt::format("{} {:.2f}", name, height);
    plot.lines.push_back({.name = text, .x = {0, last}, .y = {height, height}, .colour = "none"});
    const double step = first_below(validation, height);
    if (alone && step > 0) plot.dots.emplace_back(step, height);
    plot.alt += step < 0 ? fmt::format(" It stays above the line {}.", text)
                         : fmt::format(" It was first seen below the line {} at step {}.", text, shown(step));
  }
  return plot;
}

}  // namespace gradus::examples
