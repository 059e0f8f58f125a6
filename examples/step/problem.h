// An expression with numbers for its variables, as the stepper takes it: leaves, trace, and a check of the gradients.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/inspect/trace.h"
#include "examples/shared/expression/expression.h"
#include "examples/shared/terminal/styled.h"

namespace gradus::examples {

struct StepOptions;

class StepProblem {
 public:
  // ExpressionError for a value that is none, and where nothing can be differentiated.
  explicit StepProblem(const StepOptions& options);

  inspect::Trace trace(bool create_graph, bool naive) const;
  std::string title() const;  // "tanh(w*x + b), w = 0.5, x = 2", and that L is the sum of a result that is no number

  // A line for each leaf: its gradient beside (L(w + h) − L(w − h)) / 2h, computed in f64.
  Lines differences(const inspect::Trace& trace) const;

 private:
  Tensor loss(const std::map<std::string, Tensor>& variables, DType dtype, Evaluated& evaluated) const;
  void add_cuts(inspect::Trace& trace) const;
  std::vector<double> slopes(const std::string& name) const;

  Expression expression_;
  std::map<std::string, std::string> texts_;
  std::vector<std::pair<std::string, Tensor>> leaves_;  // in the order in which the expression names them
  DType dtype_;
  Evaluated result_;
  Tensor loss_;
};

}  // namespace gradus::examples
