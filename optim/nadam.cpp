#include "optim/nadam.h"

#include <cmath>

#include "core/composites/composites.h"
#include "optim/adam.h"

namespace gradus::optim {

NAdam::NAdam(ParameterGroups parameters, NAdamOptions options)
    : Optimizer("NAdam", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      v_(add_state("second")),
      products_(add_state("momentum_product", [](const NamedTensor&) { return ones({}, DType::f64); })) {
  check_betas(options.beta1, options.beta2, name());
  check_eps("eps", options.eps);
  check_range("momentum_decay", options.momentum_decay, range::positive, name());
}

// #region optim-nadam
double NAdam::momentum(int64_t t) const {
  return options_.beta1 * (1 - 0.5 * std::pow(0.96, static_cast<double>(t) * options_.momentum_decay));
}

void NAdam::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta1 = options_.beta1, beta2 = options_.beta2, mu = momentum(steps()), next_mu = momentum(steps() + 1);
  Tensor &m = m_[index], &v = v_[index];
  products_[index].assign(mu * products_[index]);
  const double product = products_[index].item(), next_product = product * next_mu;
  const Tensor g = parameter.grad() + weight_decay * parameter;
  m.assign(beta1 * m + (1 - beta1) * g);
  v.assign(beta2 * v + (1 - beta2) * square(g));
  const Tensor m_hat = next_mu / (1 - next_product) * m + (1 - mu) / (1 - product) * g;
  const Tensor v_hat = v / (1 - std::pow(beta2, steps()));
  parameter.assign(parameter - lr * m_hat / (sqrt(v_hat) + options_.eps));
}
// #endregion optim-nadam

}  // namespace gradus::optim
