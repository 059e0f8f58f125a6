// Exercise 2, rule-broadcast: what was repeated on the way forward is summed on the way back.    docs/ch00.md#op-add
//
//   y = a ⊙ b, where sizes of 1, and missing ones, are repeated      y = Σ x over some axes
//
// A gradient has the shape of its input. Shapes are laid side by side from the last axis: [3] and [2, 1] are repeated to [2, 3].
// All tensors are in f64, and have x.rank(), x.size(axis) and x.shape(); reshape(x, shape), expand(x, shape) and sum(x, axes) are at
// hand. An Axes is a std::vector<int>, and sum(x, {}) is the sum of all of x. A Shape has shape.rank(), shape[axis] and
// shape.push_back(size).
// See also docs/ch00.md#op-sum.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Two = std::pair<Tensor, Tensor>;

// An input of this shape was repeated until it had the shape of g = dL/dy: its gradient. Without sum_to, which is the same.
Tensor summed_to(const Tensor& g, const Shape& shape) {
  // blank: sum over the axes along which the input was repeated
  const int missing = g.rank() - shape.rank();
  Axes repeated;
  for (int axis = 0; axis < g.rank(); ++axis) {
    if (axis < missing || shape[axis - missing] != g.size(axis)) repeated.push_back(axis);
  }
  return repeated.empty() ? g : reshape(sum(g, repeated), shape);
  // end
}

// {dL/da, dL/db} for y = a ⊙ b, whatever shapes a and b have. Here sum_to(x, shape) may be used.
Two mul_rule(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: the rule of a product, in the shapes of a and b
  return {sum_to(g * b, a.shape()), sum_to(g * a, b.shape())};
  // end
}

// dL/dx for y = sum(x, axes), where x has this shape and y lacks these axes, at least one (0 is the first): the other way round.
Tensor sum_rule(const Tensor& g, const Shape& shape, const Axes& axes) {
  // blank: repeat g along the axes that are gone
  Shape kept = shape;
  for (int axis : axes) kept[axis] = 1;
  return expand(reshape(g, kept), shape);
  // end
}
