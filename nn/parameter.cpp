#include "nn/parameter.h"

#include "core/composites/composites.h"

namespace gradus::nn {

Parameter::Parameter(const Tensor& value) {
  if (!value.defined()) return;
  check<GraphError>(value.is_leaf(),
                    "parameter: its value (shape {}) is on the tape, where its gradient would be lost; make "
                    "it under NoGrad, or detach() it",
                    value.shape());
  const bool is_new = !value.requires_grad();
  Tensor::operator=(is_new ? value.detached_copy() : value);
  set_requires_grad();
  if (is_new) set_unclaimed(true);
  trained_ = number();
}

Parameter& Parameter::operator=(const Tensor& value) {
  if (!defined()) {
    if (value.defined()) share(value);
    return *this;
  }
  check<GraphError>(value.defined(), "parameter: an undefined tensor has no values to copy into one of shape {}", shape());
  assign(value);
  return *this;
}

void Parameter::share(const Parameter& other) {
  check_defined({{"other", other}}, "parameter");
  if (defined()) {
    check<ShapeError>(shape() == other.shape(), "parameter: one of shape {} cannot become one of shape {}", shape(), other.shape());
  }
  Tensor::operator=(other);
  trained_ = other.trained_;
}

void Parameter::replace(const Tensor& value) {
  Parameter next = value.detach();
  next.set_requires_grad(requires_grad());
  for (const GradientHook& hook : hooks()) next.add_hook(hook);
  zero_grad();
  set_requires_grad(false);
  Tensor::operator=(next);
  trained_ = next.trained_;
}

void Parameter::append(const Tensor& rows) { replace(cat({detach(), rows}, 0)); }

}  // namespace gradus::nn
