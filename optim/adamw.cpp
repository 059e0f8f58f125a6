#include "optim/adamw.h"

namespace gradus::optim {

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
