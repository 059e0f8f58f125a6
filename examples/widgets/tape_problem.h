// What the tape playground differentiates: an expression that the reader types, or a small model.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::widgets {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

struct Computed {
  Tensor y;            // one number
  NamedTensors names;  // of y and of what was computed on the way
};

struct TapeProblem {
  NamedTensors leaves;                                   // they require a gradient
  std::function<Computed(const Tensors&)> compute = {};  // from other values of the leaves
};

// An expression of the variables that have a number here. ExpressionError for what is none.
TapeProblem expression_problem(const std::string& text, const std::map<std::string, double>& numbers);

// "linear 2 3; tanh; linear 3 1; mse": layers, functions of one argument, and last of all, perhaps, the mean squared error
// against 1; without it y is the sum. The input is as many of these numbers as the first layer takes. ValueError for what is no
// such text.
TapeProblem model_problem(const std::string& text, const std::vector<double>& numbers);

}  // namespace gradus::widgets
