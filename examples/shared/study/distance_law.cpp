#include "examples/shared/study/distance_law.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/composites/composites.h"
#include "examples/shared/data/xtensor.h"
#include "examples/shared/report/values.h"

namespace gradus::examples {

DistanceLaw distance_law(const Tensor& scores, bool causal) {
  check<ShapeError>(scores.rank() == 2 && scores.size(0) == scores.size(1), "distance_law: needs [T, T], got {}", scores.shape());
  const Tensor wide = cast(scores.detach(), DType::f64);
  const xt::xarray<double> s = wide.array<double>();
  const int64_t length = scores.size(0);
  double within = 0, sum = 0, squares = 0, count = 0, spread = 0, least = HUGE_VAL, most = -HUGE_VAL;
  const double centre = s(0, 0);  // near the mean, so that little cancels
  for (int64_t distance = 1 - length; distance < (causal ? 1 : length); ++distance) {
    const xt::xarray<double> diagonal = xt::diagonal(s, static_cast<int>(distance)) - centre;
    const double mean = xt::mean(diagonal)();
    within += xt::sum(xt::square(diagonal - mean))();
    sum += xt::sum(diagonal)();
    squares += xt::sum(xt::square(diagonal))();
    count += static_cast<double>(diagonal.size());
    spread = std::max(spread, xt::amax(diagonal)() - xt::amin(diagonal)());
    least = std::min(least, mean);
    most = std::max(most, mean);
  }
  const double total = squares - sum * sum / count;
  return {total > 0 ? 1 - within / total : NAN, spread, most - least};
}

std::vector<std::vector<double>> standardized(const Tensor& scores) { return rows_of((scores - mean(scores)) / stddev(scores)); }

}  // namespace gradus::examples
