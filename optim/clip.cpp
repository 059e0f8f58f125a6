#include "optim/clip.h"

#include <cmath>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "optim/checks.h"
#include "optim/clip_kernel.h"

namespace gradus::optim {

namespace {

// Those of the parameters that have a gradient, after what the headers promise is checked.
Tensors with_gradient(const Tensors& parameters, OpName op = {}) {
  NamedTensors named;
  for (std::size_t i = 0; i < parameters.size(); ++i) named.emplace_back(fmt::format("parameter {}", i), parameters[i]);
  check_parameters(named, op);
  Tensors found;
  for (const auto& [name, parameter, role] : named) {
    if (parameter.grad().defined()) found.push_back(parameter);
  }
  return found;
}

}  // namespace

// #region optim-clip
double clip_grad_norm(const Tensors& parameters, double max_norm) {
  check_range("max_norm", max_norm, {0, range::infinity});
  const NoGrad off;
  const Tensors clipped = with_gradient(parameters);
  double squares = 0;
  for (const Tensor& parameter : clipped) squares += kernels::sum_of_squares(parameter.grad());
  const double norm = std::sqrt(squares);
  if (max_norm == 0 || norm <= max_norm) return norm;
  check<ValueError>(std::isfinite(norm),
                    "clip_grad_norm: the norm is {}: a gradient, or its square in f64, is not finite; AnomalyMode names the op", norm);
  for (const Tensor& parameter : clipped) parameter.set_grad(parameter.grad() * (max_norm / norm));
  return norm;
}

void clip_grad_value(const Tensors& parameters, double limit) {
  check_range("the limit", limit, {0, range::infinity, false, true});
  const NoGrad off;
  for (const Tensor& parameter : with_gradient(parameters)) {
    parameter.set_grad(clamp(parameter.grad(), -limit, limit));
  }
}
// #endregion optim-clip

}  // namespace gradus::optim
