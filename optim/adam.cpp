#include "optim/adam.h"

#include <cmath>
#include <utility>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"

namespace gradus::optim {

// #region optim-adam
// #region optim-adamw
void formula::adam(Tensor& theta, Tensor& m, Tensor& v, const AdamStep& s, Tensor v_bar) {
  // #region optim-weight-decay
  const Tensor g = theta.grad() + s.l2 * theta;         // Adam: divided by √v̂ below, so that weights with large gradients hardly decay
  const Tensor decayed = (1 - s.lr * s.decay) * theta;  // AdamW: every value shrinks by the same factor
  // #endregion optim-weight-decay
  m.assign(s.beta1 * m + (1 - s.beta1) * g);
  v.assign(s.beta2 * v + (1 - s.beta2) * square(g));
  // #region optim-amsgrad
  if (v_bar.defined()) v_bar.assign(maximum(v_bar, v));
  const Tensor& corrected = v_bar.defined() ? v_bar : v;
  // #endregion optim-amsgrad
  const double correction1 = 1 - std::pow(s.beta1, s.t), correction2 = 1 - std::pow(s.beta2, s.t);
  const Tensor m_hat = m / correction1, v_hat = corrected / correction2;
  const double eps = s.eps_before_correction ? s.eps / std::sqrt(correction2) : s.eps;
  theta.assign(decayed - s.lr * m_hat / (sqrt(v_hat) + eps));
}
// #endregion optim-adamw
// #endregion optim-adam

void adam(Tensor& theta, Tensor& m, Tensor& v, const AdamStep& step, Tensor v_bar) {
  for (const Tensor& moment : {m, v, v_bar.defined() ? v_bar : v}) {
    check<ShapeError>(moment.shape() == theta.shape(), "adam: θ has shape {}, but a moment {}", theta.shape(), moment.shape());
    check<DTypeError>(moment.dtype() == theta.dtype(), "adam: θ is {}, but a moment {}", theta.dtype(), moment.dtype());
  }
  (formula_only() ? formula::adam : fast::adam)(theta, m, v, step, std::move(v_bar));
}

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
  adam(parameter, m_[index], v_[index],
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

AdamW::AdamW(ParameterGroups parameters, AdamWOptions o)
    : Adam("AdamW", std::move(parameters),
           {.lr = o.lr,
            .beta1 = o.beta1,
            .beta2 = o.beta2,
            .eps = o.eps,
            .weight_decay = o.weight_decay,
            .eps_before_correction = o.eps_before_correction,
            .amsgrad = o.amsgrad},
           Decay::decoupled) {}

}  // namespace gradus::optim
