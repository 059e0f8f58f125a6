#include "optim/lamb.h"

#include <cmath>

#include "core/composites/composites.h"
#include "optim/adam.h"
#include "optim/clip_kernel.h"

namespace gradus::optim {
namespace {

double length_of(const Tensor& x) { return std::sqrt(kernels::sum_of_squares(x)); }

}  // namespace

LAMB::LAMB(ParameterGroups parameters, LAMBOptions options)
    : Optimizer("LAMB", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      v_(add_state("second")) {
  check_betas(options.beta1, options.beta2, name());
  check_eps("eps", options.eps);
}

// #region optim-lamb
void LAMB::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta1 = options_.beta1, beta2 = options_.beta2;
  Tensor &m = m_[index], &v = v_[index];
  const Tensor g = parameter.grad();
  m.assign(beta1 * m + (1 - beta1) * g);
  v.assign(beta2 * v + (1 - beta2) * square(g));
  const Tensor m_hat = m / (1 - std::pow(beta1, steps())), v_hat = v / (1 - std::pow(beta2, steps()));
  const Tensor u = m_hat / (sqrt(v_hat) + options_.eps) + weight_decay * parameter;
  const double size = length_of(parameter), length = length_of(u);
  const double trust = size > 0 && length > 0 ? size / length : 1;
  parameter.assign(parameter - lr * trust * u);
}
// #endregion optim-lamb

}  // namespace gradus::optim
