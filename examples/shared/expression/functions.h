// The functions that an expression may call: ops by their names in ops.h, activations by theirs in nn's table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

struct ExpressionFunction {
  std::string name;
  std::vector<std::string> parameters;  // "x", "axis"
  std::size_t least = 0;                // the parameters after these may be left out
  std::function<Tensor(const Tensors&)> call;

  std::string usage() const;  // "sum(x, axis), the last of which may be left out"
};

const std::vector<ExpressionFunction>& expression_functions();
void add_rarer(std::vector<ExpressionFunction>& functions);  // with the activations that learn nothing: "gelu-tanh" is gelu_tanh here
const ExpressionFunction* find_expression_function(const std::string& name);  // null if there is none

}  // namespace gradus::examples
