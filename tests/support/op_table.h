// The op table: one row or more for every op of core/ops/ops.h. To add an op, add a row here; to have it compared with
// PyTorch too, a row of the same name in tests/fixtures/generate.py. All tests of tests/core/ops iterate the table:
// values and gradients against PyTorch (or values against the row's own plain numbers), first and second derivatives
// against differences, f32 and f16 against f64.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::test {

// An input: drawn uniformly from [low, high), or with the given values.
struct Input {
  Shape shape;
  double low = -2, high = 2;
  std::vector<double> values = {};
};

// What can be said of an op's derivatives at the row's inputs.
enum class Smooth {
  none,   // [constant]: a count, an id, a mask
  kink,   // a gradient by convention, where differences have none to compare it with
  once,   // a first derivative, but no second
  twice,  // both
};

using Numbers = const std::vector<double>&;

struct OpRow {
  std::string name;  // "op" or "op/what is special"
  std::function<Tensor(const Tensors&)> function;
  std::vector<Input> inputs;  // all floating: ids and masks are part of the function
  Smooth smooth = Smooth::twice;
  // One element of the result from one of each input, in plain numbers: what an elementwise op that PyTorch's fixture
  // lacks is compared with.
  std::function<double(Numbers)> in_numbers = nullptr;
};

const std::vector<OpRow>& op_table();

// The row's inputs in this dtype, the same on every call. Drawn values are exact in f16, so that an op sees the same
// numbers in every dtype.
Tensors make_inputs(const OpRow& row, DType dtype, bool requires_grad = false);

// A tensor like x with values from [-1, 1), exact in f16: a cotangent dL/dy.
Tensor make_cotangent(const OpRow& row, const Tensor& output);

}  // namespace gradus::test
