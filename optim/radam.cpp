#include "optim/radam.h"

#include <cmath>

#include "core/composites/composites.h"
#include "optim/adam.h"

namespace gradus::optim {

RAdam::RAdam(ParameterGroups parameters, RAdamOptions options)
    : Optimizer("RAdam", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      v_(add_state("second")) {
  check_betas(options.beta1, options.beta2, name());
  check_eps("eps", options.eps);
  check_range("threshold", options.threshold, {4, range::infinity}, name());
}

// #region optim-radam
void RAdam::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta1 = options_.beta1, beta2 = options_.beta2, t = static_cast<double>(steps());
  Tensor &m = m_[index], &v = v_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  m.assign(beta1 * m + (1 - beta1) * g);
  v.assign(beta2 * v + (1 - beta2) * square(g));
  const Tensor m_hat = m / (1 - std::pow(beta1, t));
  const double past = std::pow(beta2, t);
  const double rho_inf = 2 / (1 - beta2) - 1, rho = rho_inf - 2 * t * past / (1 - past);
  if (rho <= options_.threshold) {
    parameter.assign(parameter - lr * m_hat);
  } else {
    const double r = std::sqrt((rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho));
    parameter.assign(parameter - lr * r * std::sqrt(1 - past) * m_hat / (sqrt(v) + options_.eps));
  }
}
// #endregion optim-radam

}  // namespace gradus::optim
