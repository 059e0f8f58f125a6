#include "optim/adam.h"

#include <cmath>

#include "core/tape/grad_mode.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {
namespace {

void update_by_formula(Tensor& parameter, Tensor& m, Tensor& v, const kernels::AdamStep& step) {
  const auto [lr, l2, decay, beta1, beta2, eps, correction1, correction2] = step;
  // #region optim-adam
  // #region optim-adamw
  // #region optim-weight-decay
  // Coupled (Adam, L2): λ θ joins the gradient, and is divided by √v̂ with it: values with large gradients hardly decay.
  const Tensor g = parameter.grad() + l2 * parameter;
  // Decoupled (AdamW): every value shrinks by the same factor.
  const Tensor decayed = (1 - lr * decay) * parameter;
  // #endregion optim-weight-decay
  m.assign(beta1 * m + (1 - beta1) * g);
  v.assign(beta2 * v + (1 - beta2) * square(g));
  const Tensor m_hat = m / correction1, v_hat = v / correction2;
  parameter.assign(decayed - lr * m_hat / (sqrt(v_hat) + eps));
  // #endregion optim-adamw
  // #endregion optim-adam
}

}  // namespace

void adam_update(Tensor& parameter, Tensor& first, Tensor& second, const AdamOptions& o, const AdamRates& rates) {
  const auto t = static_cast<double>(rates.t);
  const double correction1 = 1 - std::pow(o.beta1, t), correction2 = 1 - std::pow(o.beta2, t);
  const kernels::AdamStep step{.lr = rates.lr,
                               .l2 = rates.l2,
                               .decay = rates.decay,
                               .beta1 = o.beta1,
                               .beta2 = o.beta2,
                               .eps = o.eps_before_correction ? o.eps / std::sqrt(correction2) : o.eps,
                               .correction1 = correction1,
                               .correction2 = correction2};
  if (formula_only()) return update_by_formula(parameter, first, second, step);
  kernels::adam(parameter, parameter.grad(), first, second, step);
}

void check_options(const char* optimizer, const AdamOptions& options) {
  check_share(optimizer, "a beta", options.beta1);
  check_share(optimizer, "a beta", options.beta2);
  check_positive(optimizer, "eps", options.eps);
}

Adam::Adam(std::vector<ParameterGroup> groups, AdamOptions options)
    : Optimizer(std::move(groups)), options_(options), first_(add_state("first")), second_(add_state("second")) {
  check_options("Adam", options);
}

void Adam::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  adam_update(parameter, first_[index], second_[index], options_,
              {.lr = lr, .l2 = weight_decay, .decay = 0, .t = steps()});
}

}  // namespace gradus::optim
