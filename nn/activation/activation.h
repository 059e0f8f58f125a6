// What the elementwise activations share.
#pragma once

#include <functional>
#include <string>

#include "nn/activation/activation_kernel.h"
#include "nn/module.h"

namespace gradus::nn {

using UnaryFunction = std::function<Tensor(const Tensor&)>;

// y = f(x), element by element      dL/dx = g ⊙ f'(x)
// The curve gives f and f' by kernels, `formula` says f in ops. x has any shape and a floating dtype (DTypeError).
// At ±∞ the curve's value and derivative are the limits: silu(-∞) = 0. The formula, taken op by op, meets ∞·0 there
// and gives NaN. A NaN in x gives a NaN in y.
Tensor elementwise(const char* name, const kernels::Curve& curve, const Tensor& x, const UnaryFunction& formula);

// x where it is negative or 0, else 0; the derivative at 0 is 1: it is the lower branch's.
Tensor lower_branch(const Tensor& x);

// A layer that is one function, without parameters.
class Activation : public Layer {
 public:
  Activation(std::string name, UnaryFunction function) : name_(std::move(name)), function_(std::move(function)) {}

  Tensor forward(const Tensor& x) override { return function_(x); }
  void members(Members&) override {}
  std::string describe() const override { return name_; }

 private:
  std::string name_;
  UnaryFunction function_;
};

}  // namespace gradus::nn
