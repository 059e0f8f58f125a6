#include "optim/adamw.h"

namespace gradus::optim {

AdamW::AdamW(std::vector<ParameterGroup> groups, AdamWOptions options)
    : Optimizer(std::move(groups)), options_(options), first_(add_state("first")), second_(add_state("second")) {
  check_options("AdamW", options);
}

void AdamW::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  adam_update(parameter, first_[index], second_[index], options_,
              {.lr = lr, .l2 = 0, .decay = weight_decay, .t = steps()});
}

}  // namespace gradus::optim
