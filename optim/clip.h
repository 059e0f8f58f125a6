// Gradient clipping.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::optim {

// Scales all gradients by one factor so that their joint norm ‖g‖ = √(Σ g²) is at most `max_norm`; 0 only measures.
// Returns the norm before. ValueError for a negative max_norm, a parameter that is given twice, and, where it would be
// clipped, a norm that is not finite; the gradients are then as before. (Pascanu, Mikolov and Bengio, 2013)
double clip_grad_norm(const Tensors& parameters, double max_norm);

// Cuts every value of every gradient to [-limit, limit], which changes the gradient's direction. ValueError unless
// limit > 0. (Mikolov, 2012)
void clip_grad_value(const Tensors& parameters, double limit);

}  // namespace gradus::optim
