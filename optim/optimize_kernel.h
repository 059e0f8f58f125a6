// Kernels of fast paths: optimizer steps.
// One pass over a parameter and what is remembered of it, in place; optim/NAME.h has the formula. In each, `lr` is the
// rate, `l2` a decay that is added to the gradient, `decay` one that acts on the parameter itself.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::kernels {

void sgd(Tensor& parameter, const Tensor& grad, double lr, double l2);

struct MomentumStep {
  double lr, l2, momentum;
  double keep;    // what of the gradient enters the velocity: 1 - dampening
  bool nesterov;  // step along g + momentum · velocity
};
void momentum(Tensor& parameter, const Tensor& grad, Tensor& velocity, const MomentumStep& step);

struct RMSpropStep {
  double lr, l2, alpha, eps;
};
void rmsprop(Tensor& parameter, const Tensor& grad, Tensor& second, const RMSpropStep& step);

struct AdagradStep {
  double lr, l2, eps;
};
void adagrad(Tensor& parameter, const Tensor& grad, Tensor& squares, const AdagradStep& step);

struct AdamStep {
  double lr, l2, decay, beta1, beta2, eps;
  double correction1, correction2;  // 1 - β₁ᵗ, 1 - β₂ᵗ
};
void adam(Tensor& parameter, const Tensor& grad, Tensor& first, Tensor& second, const AdamStep& step);

struct LionStep {
  double lr, decay, beta1, beta2;
};
void lion(Tensor& parameter, const Tensor& grad, Tensor& first, const LionStep& step);

void moving_average(Tensor& average, const Tensor& x, double beta);  // average = β average + (1 - β) x

double sum_of_squares(const Tensor& x);                   // in f64, independent of the number of threads
void scale(Tensor& x, double factor);                     // x *= factor
void clamp_in_place(Tensor& x, double low, double high);  // NaN stays

}  // namespace gradus::kernels
