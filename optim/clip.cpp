#include "optim/clip.h"

#include <cmath>

#include "optim/optimize_kernel.h"

namespace gradus::optim {

// #region optim-clip
double clip_grad_norm(const Tensors& parameters, double max_norm) {
  check<ValueError>(max_norm >= 0, "clip_grad_norm: max_norm must not be negative, got {}", max_norm);
  double squares = 0;
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined()) squares += kernels::sum_of_squares(parameter.grad());
  }
  const double norm = std::sqrt(squares);
  if (max_norm == 0 || norm <= max_norm) return norm;
  for (const Tensor& parameter : parameters) {
    Tensor grad = parameter.grad();
    if (grad.defined()) kernels::scale(grad, max_norm / norm);
  }
  return norm;
}

void clip_grad_value(const Tensors& parameters, double limit) {
  check<ValueError>(limit > 0, "clip_grad_value: the limit must be positive, got {}", limit);
  for (const Tensor& parameter : parameters) {
    Tensor grad = parameter.grad();
    if (grad.defined()) kernels::clamp_in_place(grad, -limit, limit);
  }
}
// #endregion optim-clip

}  // namespace gradus::optim
