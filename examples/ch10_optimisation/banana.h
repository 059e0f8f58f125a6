// The banana: f = (1 - x)² + 100 (y - x²)² (Rosenbrock, 1960): steep walls, and a nearly flat floor that bends.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "examples/shared/mistakes/recipes.h"
#include "optim/optim.h"

namespace gradus::examples {

using MakeIt = std::function<OptimizerPtr(const Tensor& parameter)>;

Tensor banana(const Tensor& p);  // of p = (x, y)

struct Walk {
  std::vector<std::vector<double>> path;  // x and y
  std::vector<double> losses;             // shorter than asked where it flew away
};
Walk walk(const MakeIt& make, int steps);  // from (-1.2, 1)

// The curvatures at the minimum (1, 1), least first, by the tape: the eigenvalues of the Hessian.
std::pair<double, double> curvatures();

}  // namespace gradus::examples
