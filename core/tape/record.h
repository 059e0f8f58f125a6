// record: puts an op on the tape. An op is written in one place, as formula, forward and rule:
//
//   // y = a ⊙ b      dL/da = dL/dy ⊙ b      dL/db = dL/dy ⊙ a
//   Tensor mul(const Tensor& a, const Tensor& b) {
//     return record("mul", kernels::mul(a, b), {a, b},
//                   [](const Backward& s) { return s.grad * s.input(1); },    // dL/da
//                   [](const Backward& s) { return s.grad * s.input(0); });   // dL/db
//   }
//
// Rules are themselves made of differentiable ops, so derivatives of any order come free. A rule may ignore
// broadcasting: the engine sums its result back to the input's shape.
#pragma once

#include <initializer_list>

#include "core/tape/grad_mode.h"
#include "core/tape/node.h"

namespace gradus {

// Returns `value`, on the tape if recording is on and any input requires a gradient. One rule an input, called only
// when that gradient is wanted; no rule means the gradient is zero. All that a rule reads and a caller could change, ids
// and masks too, is an input, so that a change is noticed. GraphError unless value was made after its inputs.
Tensor record(const char* name, Tensor value, std::initializer_list<Tensor> inputs, Rule first, Rule second = nullptr);

// For ops whose one pass yields all gradients; the rule asks step.needs(i).
Tensor record_joint(const char* name, Tensor value, const Tensors& inputs, JointRule rule);

// A readable formula made of ops, and a fast path that must equal it.
using Formula = std::function<Tensor(const Tensors& inputs)>;

// Records `value`, computed by a kernel. The first-order backward is `backward`, a kernel too. Under create_graph,
// where the gradient must itself be differentiable, the rule differentiates `formula` instead, on aliases of the
// inputs: an input that depends on another must not be counted twice.
Tensor record_fused(const char* name, Tensor value, const Tensors& inputs, Formula formula, JointRule backward);

}  // namespace gradus
