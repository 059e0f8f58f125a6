#include "optim/adamax.h"

#include <cmath>

#include "core/composites/composites.h"
#include "optim/adam.h"

namespace gradus::optim {

Adamax::Adamax(ParameterGroups parameters, AdamaxOptions options)
    : Optimizer("Adamax", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      largest_(add_state("largest")) {
  check_betas(options.beta1, options.beta2, name());
  check_eps("eps", options.eps);
}

// #region optim-adamax
void Adamax::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta1 = options_.beta1, beta2 = options_.beta2;
  Tensor &m = m_[index], &u = largest_[index];
  const Tensor g = parameter.grad() + weight_decay * parameter;
  m.assign(beta1 * m + (1 - beta1) * g);
  u.assign(maximum(beta2 * u, abs(g) + options_.eps));
  parameter.assign(parameter - lr / (1 - std::pow(beta1, steps())) * m / u);
}
// #endregion optim-adamax

}  // namespace gradus::optim
