#include "examples/ch10_optimisation/decay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/mistakes/recipes.h"
#include "examples/shared/study/noise_decay.h"

namespace gradus::examples {
namespace {

double decayed(double scale, bool decoupled, int steps) {
  const Recipe recipe = decoupled ? right_recipe() : published(wrong_recipes(), "adamw/coupled");
  return left_in_noise([&](const Tensor& w) { return recipe.adam(w, {.lr = 1e-3, .decay = 0.1}); }, scale, steps, 7);
}

}  // namespace

Decays measure_decay(bool full) {
  constexpr int steps = 4000;
  Decays d{.scales = {0.1, 0.3, 1, 3, 10}, .decoupled = {}, .coupled = {}, .law = std::pow(1 - 1e-3 * 0.1, steps)};
  if (full) d.scales = {0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10};
  for (const double scale : d.scales) {
    d.decoupled.push_back(decayed(scale, true, steps));
    d.coupled.push_back(decayed(scale, false, steps));
  }
  return d;
}

void weight_decay(Chapter& chapter, const Decays& d) {
  chapter.number("decay.scales", d.scales);
  chapter.number("decay.decoupled", d.decoupled);
  chapter.number("decay.coupled", d.coupled);
  chapter.number("decay.law", d.law);
  for (std::size_t i = 0; i < d.scales.size(); ++i) {
    chapter.tell(fmt::format("  gradients of scale {:<4} decoupled {:.2f}, L2 {:.2f}", d.scales[i], d.decoupled[i], d.coupled[i]));
  }
  const auto [least, most] = std::minmax_element(d.decoupled.begin(), d.decoupled.end());
  const double spread = *most - *least, other = d.coupled.back() - d.coupled.front();
  chapter.claim("decoupled-decay-is-not-l2", "With Adam, weight decay and L2 regularisation are two different things.",
                spread < 0.05 && other > 0.5 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("Spread over the scales: decoupled {:.3f}, L2 {:.2f}. Rule: below 0.05 and above 0.5.", spread, other));
}

}  // namespace gradus::examples
