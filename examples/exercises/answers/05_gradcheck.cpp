// Exercise 5, gradcheck: is a rule right? Differences know nothing of rules.                      docs/ch00.md
//
//   y = f(x), and for some g of the shape of y: L = Σ g ⊙ y      dL/dx_i ≈ (L(x + h e_i) − L(x − h e_i)) / 2h
//
// e_i is 1 at place i and 0 elsewhere. All is in f64. x.clone() is a copy; x.data<double>() and x.mutable_data<double>() are its
// x.numel() numbers, one after another; sum(x).item() is a double; randn(shape, DType::f64) draws numbers.
#include <functional>

#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Op = std::function<Tensor(const Tensor& x)>;                       // from x to y
using RuleOf = std::function<Tensor(const Tensor& g, const Tensor& x)>;  // from dL/dy to dL/dx
using Differences = std::function<Tensor(const Op& f, const Tensor& x, const Tensor& g, double h)>;

// dL/dx by central differences of width h, in the shape of x. x is to stay as it is.
Tensor differences(const Op& f, const Tensor& x, const Tensor& g, double h) {
  // blank: each number of a copy of x, moved to both sides and back again
  const auto loss = [&](const Tensor& at) { return sum(g * f(at)).item(); };
  Tensor moved = x.clone(), gradient = zeros(x.shape(), DType::f64);
  double *numbers = moved.mutable_data<double>(), *slopes = gradient.mutable_data<double>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double before = numbers[i];
    numbers[i] = before + h;
    const double above = loss(moved);
    numbers[i] = before - h;
    const double below = loss(moved);
    numbers[i] = before;
    slopes[i] = (above - below) / (2 * h);
  }
  return gradient;
  // end
}

// Is this the rule of f, at x? A wrong one is wrong by one percent of the largest gradient or more at one of many places, or gives NaN
// there, or another shape than that of x. The largest gradient may be 10⁸ or 10⁻⁸, and beside it may stand a 0. Some functions bend:
// choose a small h, but not one that leaves only rounding.
// central(f, x, g, h) is what differences(f, x, g, h) should be.
bool is_right(const Op& f, const RuleOf& rule, const Tensor& x, const Differences& central) {
  // blank: the rule against differences, for a g that hides nothing
  const Tensor g = randn(f(x).shape(), DType::f64);
  const Tensor by_rule = rule(g, x), by_differences = central(f, x, g, 1e-5);
  const double largest = max(abs(by_differences)).item();
  return by_rule.shape() == x.shape() && max(abs(by_rule - by_differences)).item() <= 1e-3 * largest;
  // end
}
