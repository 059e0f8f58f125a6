#include "optim/clip.h"

#include <cmath>
#include <set>

#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"
#include "optim/clip_kernel.h"

namespace gradus::optim {

// #region optim-clip
double clip_grad_norm(const Tensors& parameters, double max_norm) {
  check<ValueError>(max_norm >= 0, "clip_grad_norm: max_norm must not be negative, got {}", max_norm);
  const NoGrad off;
  double squares = 0;
  std::set<std::uint64_t> seen;
  for (const Tensor& parameter : parameters) {
    check<ValueError>(seen.insert(parameter.number()).second, "clip_grad_norm: a parameter (shape {}) is given twice",
                      parameter.shape());
    if (parameter.grad().defined()) squares += kernels::sum_of_squares(parameter.grad());
  }
  const double norm = std::sqrt(squares);
  if (max_norm == 0 || norm <= max_norm) return norm;
  check<ValueError>(std::isfinite(norm),
                    "clip_grad_norm: the norm is {}: a gradient, or its square in f64, is not finite; AnomalyMode names the op",
                    norm);
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.set_grad(parameter.grad() * (max_norm / norm));
  }
  return norm;
}

void clip_grad_value(const Tensors& parameters, double limit) {
  check<ValueError>(limit > 0, "clip_grad_value: the limit must be positive, got {}", limit);
  const NoGrad off;
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.set_grad(clamp(parameter.grad(), -limit, limit));
  }
}
// #endregion optim-clip

}  // namespace gradus::optim
