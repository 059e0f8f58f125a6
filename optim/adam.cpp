#include "optim/adam.h"

#include "core/tensor/create.h"
#include "optim/adam_kernel.h"

namespace gradus::optim {

void check_adam(const char* optimizer, double beta1, double beta2, double eps) {
  check_fraction(optimizer, "beta1", beta1);
  check_fraction(optimizer, "beta2", beta2);
  check_positive(optimizer, "eps", eps);
}

Adam::Adam(ParameterGroups parameters, AdamOptions options)
    : Optimizer(std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      v_(add_state("second")),
      largest_(add_state("largest", [on = options.amsgrad](const NamedTensor& p) {
        return on ? zeros_like(p.tensor) : Tensor();
      })) {
  check_adam("Adam", options.beta1, options.beta2, options.eps);
}

void Adam::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  kernels::adam(parameter, m_[index], v_[index],
                {.lr = lr,
                 .l2 = weight_decay,
                 .decay = 0,
                 .beta1 = options_.beta1,
                 .beta2 = options_.beta2,
                 .eps = options_.eps,
                 .eps_before_correction = options_.eps_before_correction,
                 .t = steps()},
                largest_[index]);
}

}  // namespace gradus::optim
