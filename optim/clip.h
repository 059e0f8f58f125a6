// Gradient clipping.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::optim {

// Scales all gradients by one factor so that their joint norm ‖g‖ = √(Σ g²) is at most `max_norm`; 0 only measures
// (Pascanu, Mikolov and Bengio, 2013). Returns the norm before. Throws, changing nothing: ValueError for a negative
// max_norm, and for a norm to be clipped that is not finite; for the parameters as clip_grad_value.
double clip_grad_norm(const Tensors& parameters, double max_norm);

// Cuts every value of every gradient to [-limit, limit], which changes the gradient's direction (Mikolov, 2012). ValueError
// unless limit > 0. Errors as of check_parameters(), which call the first "parameter 0".
void clip_grad_value(const Tensors& parameters, double limit);

}  // namespace gradus::optim
