// Exercise 2, rule-broadcast: what was repeated on the way forward is summed on the way back.    docs/ch00.md#op-add
//
//   y = a ⊙ b, where sizes of 1, and missing ones, are repeated      y = Σ x over some axes
//
// A gradient has the shape of its input. Shapes are laid side by side from the last axis: [3] and [2, 1] are repeated to [2, 3].
// All tensors are in f64, and have x.rank(), x.size(axis) and x.shape(); reshape(x, shape), expand(x, shape) and sum(x, axes) are at
// hand. An Axes is a std::vector<int>, and sum(x, {}) is the sum of all of x. A Shape has shape.rank(), shape[axis] and
// shape.push_back(size).
// See also docs/ch00.md#op-sum.
//! title: the rules of what is repeated, and of a sum
//! minutes: 30
//! needs: rule-mul
//! done: Repeating and summing are each other's way back. The shape of a gradient says which of them is needed, and where.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Two = std::pair<Tensor, Tensor>;

// An input of this shape was repeated until it had the shape of g = dL/dy: its gradient. Without sum_to, which is the same.
Tensor summed_to(const Tensor& g, const Shape& shape) {
  // blank: sum over the axes along which the input was repeated
  //! A [3] is added to two rows of 3. Its first number grows by 0.1: which numbers of the result move?
  //! Find the axes first. An axis of g was made by repeating if the input lacks it, or has it with size 1. The last axes of both belong
  //!   together.
  //! Each use counts, so gradients of several uses are added; and a gradient has the shape of its input.
  //! Axis k of g belongs to axis k − (rank of g − rank of the input). Where there is none, or its size is 1: sum. Then reshape; nothing to
  //!   sum is no sum.
  //+ const auto fitted = [&](const Tensor& sums) { return sums.numel() == shape.numel() ? reshape(sums, shape) : sums; };
  //+ const auto summed = [&](const Axes& axes) { return fitted(axes.empty() ? g : sum(g, axes)); };
  const int missing = g.rank() - shape.rank();
  Axes repeated;
  for (int axis = 0; axis < g.rank(); ++axis) {
    if (axis < missing || shape[axis - missing] != g.size(axis)) repeated.push_back(axis);
    //~ 5 op/missing-axes-only: if (axis < missing) repeated.push_back(axis);
    //? Is a size of 1 repeated, too?
    //= only missing axes are summed, not those of size 1
    //~ 6 op/ones-only: if (axis >= missing && shape[axis - missing] == 1) repeated.push_back(axis);
    //? An input of [3], repeated to [2, 3]: along which axis?
    //= only axes of size 1 are summed, not missing ones
    //~ 9 op/aligned-left: if (axis >= shape.rank() || shape[axis] == 1) repeated.push_back(axis);
    //? From which end are two shapes laid side by side?
    //= the shapes are laid side by side from the first axis
    //~ 11 op/aligned-left: if (axis >= shape.rank() || shape[axis] != g.size(axis)) repeated.push_back(axis);
    //~ 12 op/axes-of-the-input:
    //| const int of_input = axis < missing ? axis : axis - missing;
    //| const bool is_new = std::find(repeated.begin(), repeated.end(), of_input) == repeated.end();
    //| if (is_new && (axis < missing || shape[of_input] != g.size(axis))) repeated.push_back(of_input);
    //? g is [3, 2, 4], the input [2, 1]. Its axis of size 1 has the number 1: which one is that in g?
    //= the axes of size 1 are numbered as in the input, where g has missing ones before them
  }
  return repeated.empty() ? g : reshape(sum(g, repeated), shape);
  //~ 1 op/broadcast-not-summed: return g;
  //? What shape must the gradient of a [3] have?
  //= the gradient keeps the shape to which the input was repeated
  //@ nd4j#2424, pytorch#1787, burn#181, tt-metal#40008
  //~ 2 op/mean-for-sum: return repeated.empty() ? g : reshape(mean(g, repeated), shape);
  //? Do gradients of several uses add up, or average?
  //= gradients of several uses are averaged
  //~ 3 op/first-use-only:
  //| Tensor first = g;
  //| for (int axis : repeated) first = slice(first, axis, 0, 1);
  //| return reshape(first, shape);
  //? How many numbers of y use one number of the input?
  //= the gradient of the first use alone
  //~ 4 op/last-use-only:
  //| Tensor last = g;
  //| for (int axis : repeated) last = slice(last, axis, -1);
  //| return reshape(last, shape);
  //? What becomes of the gradient that came before?
  //= the gradient of each use replaces the one before
  //~ also op/missing-axes-only: return summed(repeated);
  //~ also op/ones-only: return summed(repeated);
  //~ 7 op/one-axis-only:
  //| if (repeated.size() > 1) repeated.resize(1);
  //| return summed(repeated);
  //? Along how many axes may an input be repeated?
  //= only the first of several axes is summed
  //~ 8 op/axis-of-1-lost: return repeated.empty() ? g : sum(g, repeated);
  //? What shape must the gradient of a [2, 1] have?
  //= a summed axis is dropped where the input has it with size 1
  //~ also 9 op/aligned-left: return summed(repeated);
  //~ 10 op/sum-of-all: return expand(sum(g), shape);
  //? Which numbers of y use the second number of the input?
  //= each number gets the sum of all of g
  //~ also 11 op/aligned-left: return summed(repeated);
  //~ also op/axes-of-the-input: return summed(repeated);
  //~ 13 op/axes-shift:
  //| Tensor sums = g;
  //| for (int axis : repeated) sums = sum(sums, axis);
  //| return fitted(sums);
  //? Axis 0 of [3, 2, 4] is summed and gone. Which number has the last axis now?
  //= one axis is summed after the other, and each that is gone moves those behind it
  //~ 14 op/no-axes-are-all: return repeated.empty() ? sum(g) : reshape(sum(g, repeated), shape);
  //? Nothing was repeated, so your list of axes is empty. What does sum make of an empty list?
  //= sum of no axes is the sum of all of g
  //~ 15 op/first-axis-alone: return summed({0});
  //? An input of [2, 1], repeated to [2, 3]: along which axis?
  //= g is always summed over its first axis
  // end
}

// {dL/da, dL/db} for y = a ⊙ b, whatever shapes a and b have. Here sum_to(x, shape) may be used.
Two mul_rule(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: the rule of a product, in the shapes of a and b
  //! b is a [3] and meets two rows of a. How many products does its first number enter?
  //! First the product, in the shape of y. What shape has it, and what shape is wanted?
  //! A factor's gradient is made as if nothing were repeated, and is then summed to its own shape.
  //! dL/db_j = Σ_s g_sj a_sj for a b that is repeated along s. sum_to does the Σ.
  return {sum_to(g * b, a.shape()), sum_to(g * a, b.shape())};
  //~ 1 op/broadcast-not-summed: return {g * b, g * a};
  //? What shape must the gradient of a [3] have? And which comes last: the product, or the sum?
  //~ 2 op/a-not-summed: return {g * b, sum_to(g * a, b.shape())};
  //? May a be repeated, too? Then which comes last: the product, or the sum?
  //= dL/da has the shape to which a was repeated
  //~ 3 op/b-not-summed: return {sum_to(g * b, a.shape()), g * a};
  //? May b be repeated, too? Then which comes last: the product, or the sum?
  //= dL/db has the shape to which b was repeated
  //~ 4 op/mean-for-sum: return {sum_to(g * b, a.shape()) * (1.0 * a.numel() / g.numel()), sum_to(g * a, b.shape()) * (1.0 * b.numel() / g.numel())};
  //~ 5 op/summed-too-early: return {sum_to(sum_to(g, a.shape()) * b, a.shape()), sum_to(sum_to(g, b.shape()) * a, b.shape())};
  //? y_1 = 10 a_1 and y_2 = 20 a_1: what does a_1 get, if 1 arrives at y_1 and 2 at y_2?
  //= what arrives is summed first and multiplied then: a product of sums in place of a sum of products
  //~ 6 op/own-factors: return {sum_to(g * a, a.shape()), sum_to(g * b, b.shape())};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= each factor gets what arrives times itself
  //~ 7 op/factor-missing: return {sum_to(g, a.shape()), sum_to(g, b.shape())};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= both get what arrives as it is, as in a sum
  //~ 8 op/g-missing: return {sum_to(ones_like(g) * b, a.shape()), sum_to(ones_like(g) * a, b.shape())};
  //? y moves by 4: how far does the loss move?
  //= the slopes of y, without what arrives at y
  //~ 9 op/shapes-exchanged: return {sum_to(g * b, b.shape()), sum_to(g * a, a.shape())};
  //? Whose shape has dL/da: that of a, or that of the factor that you multiply by?
  //= each gradient is summed to the shape of the other factor
  // end
}

// dL/dx for y = sum(x, axes), where x has this shape and y lacks these axes, at least one (0 is the first): the other way round.
Tensor sum_rule(const Tensor& g, const Shape& shape, const Axes& axes) {
  // blank: repeat g along the axes that are gone
  //! A row of x is summed, and one of its numbers grows by 0.1. How far does the sum move?
  //! g lacks the axes that were summed. Where in the shape did they stand?
  //! A sum hands to each of its terms what arrives, whole.
  //! For y_s = Σ_i x_si it is dL/dx_si = g_s: put the axes back with size 1, and repeat along them.
  Shape kept = shape;
  for (int axis : axes) kept[axis] = 1;
  //+ const double n = 1.0 * shape.numel() / g.numel();
  //+ const auto expanded = [&](const Tensor& x) { return broadcasts_to(x.shape(), shape) ? expand(x, shape) : x; };
  return expand(reshape(g, kept), shape);
  //~ 1 op/sum-axes-restored-wrong: return expanded(g);
  //? Where was the axis that is gone: first, last, or between?
  //= g is repeated along a new first axis, not along the one that is gone
  //@ harvard-edge/cs249r_book PR1867
  //~ 2 op/repeated-behind: return expanded(reshape(g, g.shape().concat(std::vector<int64_t>(axes.size(), 1))));
  //? Where was the axis that is gone: first, last, or between?
  //= g is repeated along a new last axis, not along the one that is gone
  //~ 3 op/sum-as-mean: return expand(reshape(g, kept), shape) / n;
  //? One number grows by 0.1. How far does the sum move?
  //= g is divided by how many numbers were summed: the rule of a mean
  //~ 4 op/sum-counted-again: return expand(reshape(g, kept), shape) * n;
  //? One number grows by 0.1. How far does the sum move?
  //= g is multiplied by how many numbers were summed
  //~ 5 op/sum-first-only:
  //| Padding padding;
  //| for (int axis = 0; axis < shape.rank(); ++axis) padding.push_back({0, shape[axis] - kept[axis]});
  //| return pad(reshape(g, kept), padding);
  //? Which numbers of a row move its sum?
  //= only the first of the numbers that were summed gets anything
  //~ 6 op/sum-not-repeated: return reshape(g, kept);
  //? How many numbers are in x, and how many in your gradient?
  //= g is not repeated: the gradient has a size of 1 where x has more
  //~ 7 op/sum-not-repeated: return g;
  //~ 8 op/one-axis-restored: return axes.size() == 1 ? expand(reshape(g, kept), shape) : g;
  //? Along how many axes may x be summed?
  //= only the first of the axes that are gone is put back
  //~ 9 op/sum-of-g: return expand(sum(g), shape);
  //? Which sums does one number of x enter?
  //= each number gets the sum of all of g
  //~ 10 op/sum-without-g: return expand(reshape(ones_like(g), kept), shape);
  //? y moves by 4: how far does the loss move?
  //= ones, without what arrives at y
  // end
}
