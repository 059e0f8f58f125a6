// Kernels of the elementwise activations: value and derivative.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

// An activation is a curve, given in curves.h; some have a parameter.
struct Curve {
  enum class Kind {
    sigmoid, relu, leaky_relu, relu2, relu6, hardsigmoid, hardswish, elu, selu, softplus, swish, mish, gelu, gelu_tanh
  };
  Kind kind;
  double parameter = 0;  // the slope of leaky_relu, α of elu, β of swish
};

// `op` names the caller in errors.
Tensor activation(const char* op, const Curve& f, const Tensor& x);                           // f(x)
Tensor activation_backward(const char* op, const Curve& f, const Tensor& grad, const Tensor& x);  // g ⊙ f'(x)

Tensor swish_rate(const Tensor& x, double beta);  // x² σ'(βx): the derivative of x σ(βx) by β

}  // namespace gradus::kernels
