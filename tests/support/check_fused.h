// check_fused: is a fast path the formula it stands for?
#pragma once

#include <string>

#include "core/inspect/gradcheck.h"

namespace gradus::test {

struct FusedOptions {
  bool differences = true;  // gradcheck and gradgradcheck too: slow for more than some hundred entries
};

// Compares `fast`, an op made with fused(), with its formula made of ops:
//
//   values and first gradients, in f64 to 1e-12, in f32 to 1e-5, in f16 to that type's rounding;
//   second gradients, in f64;
//   first gradients of the kernel with those of create_graph, also where the inputs depend on each other and, if the
//     shapes allow, where one tensor is every input: a rule that differentiates its formula on the inputs themselves,
//     and not on aliases, is wrong there and nowhere else;
//   first and second derivatives with central differences;
//   the tape under FormulaOnly with the formula's own, node by node.
//
// Every floating input must get a gradient on every path. `inputs` are f64 (i64 inputs are passed through), the
// cotangents random. Returns "" if all is well, else one line for each thing that is wrong, `name` in front.
std::string check_fused(const std::string& name, const TensorFunction& fast, const TensorFunction& formula, const Tensors& inputs,
                        const FusedOptions& options = {});

}  // namespace gradus::test
