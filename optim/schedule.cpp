#include "optim/schedule.h"

#include <cmath>

#include "core/tensor/check.h"

namespace gradus::optim {

void CosineSchedule::check_options() const {
  check<ValueError>(min_lr >= 0 && min_lr <= max_lr, "schedule: needs 0 <= min_lr <= max_lr, got {} and {}", min_lr,
                    max_lr);
  check<ValueError>(warmup >= 0 && warmup <= total, "schedule: a warm-up of {} steps is longer than the run of {}", warmup,
                    total);
}

double CosineSchedule::operator()(std::int64_t t) const {
  constexpr double pi = 3.14159265358979323846;
  if (t < warmup) return max_lr * static_cast<double>(t) / static_cast<double>(warmup);
  if (t >= total) return min_lr;
  const double progress = static_cast<double>(t - warmup) / static_cast<double>(total - warmup);
  return min_lr + 0.5 * (max_lr - min_lr) * (1 + std::cos(pi * progress));
}

}  // namespace gradus::optim
