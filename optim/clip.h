// Gradient clipping.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::optim {

// Scales all gradients by one factor so that their joint norm ‖g‖ = √(Σ g²) is at most `max_norm`; 0 only measures.
// Returns the norm before. ValueError for a negative max_norm and, where it would be clipped, a norm that is not finite; for
// the parameters see clip_grad_value. The gradients are then as before. (Pascanu, Mikolov and Bengio, 2013)
double clip_grad_norm(const Tensors& parameters, double max_norm);

// Cuts every value of every gradient to [-limit, limit], which changes the gradient's direction. ValueError unless
// limit > 0, and for a parameter that is given twice, or of another's storage; GraphError for one that is undefined or made by
// an op, DTypeError for one that is not f32 or f64, ShapeError or DTypeError for a gradient that does not fit it. Errors call
// the first "parameter 0". (Mikolov, 2012)
void clip_grad_value(const Tensors& parameters, double limit);

}  // namespace gradus::optim
