#include "examples/ch02_activations/swish.h"

#include <algorithm>
#include <cmath>

#include "examples/ch02_activations/curves.h"

namespace gradus::examples {

void swish(Chapter& chapter, double beta) {
  std::vector<double> betas{0, 1, 5, 50};
  if (std::find(betas.begin(), betas.end(), beta) == betas.end()) betas.push_back(beta);
  std::vector<std::vector<double>> y;
  for (const double b : betas) y.push_back(curve(nn::act::swish(b), -4, 4, 161).y);
  const Curve half = curve(nn::act::swish(0), -4, 4, 161), sharp = curve(nn::act::swish(50), -0.1, 0.1, 20001);
  const Curve fine = curve(nn::act::silu, -2, 0, 20001);
  double from_half = 0, from_relu = 0;
  for (std::size_t i = 0; i < half.x.size(); ++i) from_half = std::max(from_half, std::abs(half.y[i] - half.x[i] / 2));
  for (std::size_t i = 0; i < sharp.x.size(); ++i) from_relu = std::max(from_relu, std::abs(sharp.y[i] - std::max(0.0, sharp.x[i])));
  const auto least = static_cast<std::size_t>(std::min_element(fine.y.begin(), fine.y.end()) - fine.y.begin());
  chapter.number("swish.from_half_at_0", from_half);
  chapter.number("swish.from_relu_at_50", from_relu);
  chapter.number("swish.minimum", fine.y[least]);
  chapter.number("swish.minimum_at", fine.x[least]);
  chapter.series("curves.x", half.x);
  chapter.series("swish.betas", betas);
  chapter.series("swish.y", y);
}

}  // namespace gradus::examples
