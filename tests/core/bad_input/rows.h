// The tables of bad calls of core, one for each family. Every public function of core has rows here: an undefined tensor for
// each argument, shapes, dtypes, axes, indices and options that cannot be, sizes that no memory has.
#pragma once

#include "core/core.h"
#include "tests/support/bad_input.h"
#include "tests/support/tensors.h"

namespace gradus::test {

BadCalls elementwise_rows();  // arithmetic.cpp and elementary.cpp
BadCalls operator_rows();     // +, <, += and the others
BadCalls select_rows();
BadCalls reduce_rows();
BadCalls matmul_rows();
BadCalls layout_rows();
BadCalls index_rows();
BadCalls composite_rows();  // what no other table has of core/composites
BadCalls create_rows();     // with random.h
BadCalls memory_rows();     // what no memory has room for
BadCalls tensor_rows();     // what a tensor does
BadCalls shape_rows();      // with dtypes and generators
BadCalls tape_rows();       // record, rules, fused
BadCalls engine_rows();     // grad, backward, gradcheck
BadCalls io_rows();         // files, names, inspect

// The op that a call begins with: "sum" of "sum(x, axes)".
inline std::string op_of(const std::string& call) { return call.substr(0, call.find_first_of("<(")); }

// The row of a call whose x is `none`, an undefined tensor.
#define UNDEFINED_X(call)               \
  undefined_row(op_of(#call), "x", [] { \
    const Tensor none;                  \
    (void)call;                         \
  })

}  // namespace gradus::test
