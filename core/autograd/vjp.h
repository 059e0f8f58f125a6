// vjp: a function's derivatives along a direction, a vector-Jacobian product. Second derivatives of fused ops and gradgradcheck are
// made of it, and so can gradient checkpointing be: a rule that computes its op again, and asks for its gradients.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"

namespace gradus {

using TensorsFunction = std::function<Tensors(const Tensors& inputs)>;

// dL/dx for each floating x of `inputs`, where y = f(inputs) and L = Σ ⟨seed, y⟩; undefined where no output depends on it, and for
// i64. An absent input is undefined. `f` is given aliases: where an input depends on another, as in f(x, x²), dL/dx has only what
// comes by the first place; so it captures no tensor that depends on an input. Under create_graph the gradients can be
// differentiated, with respect to inputs and seeds.
// Seeds, and errors, as those of grad(); ValueError if f is empty.
Tensors vjp(const TensorsFunction& f, const Tensors& inputs, const Tensors& seeds = {}, bool create_graph = false);

}  // namespace gradus
