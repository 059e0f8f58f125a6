#include "optim/adam.h"

#include "core/tensor/create.h"
#include "optim/adam_kernel.h"

namespace gradus::optim {

void check_betas(double beta1, double beta2, OpName op) {
  check_range("beta1", beta1, range::below_one, op);
  check_range("beta2", beta2, range::below_one, op);
}

Adam::Adam(ParameterGroups parameters, AdamOptions options) : Adam("Adam", std::move(parameters), options, Decay::coupled) {}

Adam::Adam(const char* name, ParameterGroups parameters, const AdamOptions& options, Decay decay)
    : Optimizer(name, std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      decay_(decay),
      m_(add_state("first")),
      v_(add_state("second")),
      largest_(add_state("largest", [&](const NamedTensor& p) { return options.amsgrad ? zeros_like(p.tensor) : Tensor(); })) {
  check_betas(options.beta1, options.beta2, name);
  check_eps("eps", options.eps);
}

void Adam::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  kernels::adam(parameter, m_[index], v_[index],
                {.lr = lr,
                 .l2 = decay_ == Decay::coupled ? weight_decay : 0,
                 .decay = decay_ == Decay::decoupled ? weight_decay : 0,
                 .beta1 = options_.beta1,
                 .beta2 = options_.beta2,
                 .eps = options_.eps,
                 .eps_before_correction = options_.eps_before_correction,
                 .t = steps()},
                largest_[index]);
}

}  // namespace gradus::optim
