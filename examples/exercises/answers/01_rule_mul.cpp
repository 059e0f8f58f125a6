// Exercise 1, rule-mul: what the factors of a product get back.                               docs/ch00.md#op-mul
//
//   y = a ⊙ b      dL/da and dL/db from g = dL/dy
//
// g, a, b, y and the gradients have one shape. All are tensors in f64: +, −, * and / go number by number.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Two = std::pair<Tensor, Tensor>;

// {dL/da, dL/db} for y = a ⊙ b.
Two mul_rule(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: both gradients
  return {g * b, g * a};
  // end
}

// dL/dx for y = x ⊙ x: one tensor, and both factors.
Tensor square_rule(const Tensor& g, const Tensor& x) {
  // blank: what comes back to x in all
  return g * x + g * x;
  // end
}

// The same as an op on the tape, with the name "times": y = a ⊙ b, recorded with a rule for each factor. A rule gets a Step:
// step.grad is g, step.input(0) is a, step.input(1) is b. So that this op stands on the tape, and no other, the value is made of
// constants: a.detach(), b.detach().
Tensor times(const Tensor& a, const Tensor& b) {
  // blank: record(name, value, {a, b}, rule of a, rule of b)
  return record(
      "times", a.detach() * b.detach(), {a, b}, [](const Step& step) { return step.grad * step.input(1); },  // dL/da
      [](const Step& step) { return step.grad * step.input(0); });                                           // dL/db
  // end
}
