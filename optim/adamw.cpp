#include "optim/adamw.h"

#include "core/tensor/create.h"
#include "optim/adam_kernel.h"

namespace gradus::optim {

AdamW::AdamW(ParameterGroups parameters, AdamWOptions options)
    : Optimizer(std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      m_(add_state("first")),
      v_(add_state("second")),
      largest_(add_state("largest", [on = options.amsgrad](const NamedTensor& p) {
        return on ? zeros_like(p.tensor) : Tensor();
      })) {
  check_adam("AdamW", options.beta1, options.beta2, options.eps);
}

void AdamW::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  kernels::adam(parameter, m_[index], v_[index],
                {.lr = lr,
                 .l2 = 0,
                 .decay = weight_decay,
                 .beta1 = options_.beta1,
                 .beta2 = options_.beta2,
                 .eps = options_.eps,
                 .eps_before_correction = options_.eps_before_correction,
                 .t = steps()},
                largest_[index]);
}

}  // namespace gradus::optim
