// The engine: walks the tape from outputs to inputs and hands gradients on.
#pragma once

#include <map>

#include "core/tensor/tensor.h"

namespace gradus {

// What grad() is to do beyond the first derivatives of scalars.
struct GradOptions {
  Tensors seeds = {};         // dL/doutput, one per output; ones for scalars when left out
  bool create_graph = false;  // record the backward pass too, for higher derivatives
  bool retain_graph = false;  // keep the tape to walk it again; create_graph keeps it too
  bool allow_unused = false;  // an input that no output depends on gets an undefined gradient, not an error
};

// dL/dx for each x of `inputs`, where L is the sum of ⟨seed, output⟩ over the outputs. grad() of the leaves is not touched.
// GraphError when an output is not on the tape, the tape was freed, or an input is not reached; ValueError without outputs,
// ShapeError or DTypeError for a seed of another shape or dtype than its output. A walk that fails frees what it has passed,
// unless the graph is retained.
Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options = {});

// Adds dL/dx, L as for grad(), into x.grad() of every leaf x and of tensors with retain_grad(). Errors as those of grad();
// a walk that fails has added nothing.
void backward(const Tensors& outputs, const Tensors& seeds = {}, bool retain_graph = false);

// What is unclaimed() though the last backward() of this thread gave it a gradient: numbers and shapes.
inline thread_local std::map<std::uint64_t, Shape> unclaimed_leaves;

}  // namespace gradus
