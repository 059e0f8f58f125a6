// Exercise 5, gradcheck: is a rule right? Differences know nothing of rules.                      docs/ch00.md
//
//   y = f(x), and for some g of the shape of y: L = Σ g ⊙ y      dL/dx_i ≈ (L(x + h e_i) − L(x − h e_i)) / 2h
//
// e_i is 1 at place i and 0 elsewhere. All is in f64. x.clone() is a copy; x.data<double>() and x.mutable_data<double>() are its
// x.numel() numbers, one after another; sum(x).item() is a double; randn(shape, DType::f64) draws numbers.
//! title: a check of rules, by differences
//! minutes: 35
//! needs: rule-mul
//! done: A check has to accuse what is wrong, and to let pass what is right. The random g does the first; h and the tolerance do the
//!   second.
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
  //! x has three numbers. How many slopes has L, and which of the three numbers moves for each?
  //! Move one number at a time, on a copy, and put it back before the next.
  //! What belongs to x − h and to x + h lies 2h apart, and the error of the difference is about h².
  //! dL/dx_i ≈ (Σ g ⊙ f(x + h e_i) − Σ g ⊙ f(x − h e_i)) / 2h.
  //~ 14 check/all-at-once: return g * (f(x + h) - f(x - h)) / (2 * h);
  //? Softmax: one score moves, and all outputs do. Which of them does your difference see?
  //+ const auto own = [&](const Tensor& at, int64_t place) {
  //+   const Tensor weighted = g * f(at);
  //+   return place < weighted.numel() ? weighted.data<double>()[place] : 0;
  //+ };
  const auto loss = [&](const Tensor& at) {
    return sum(g * f(at)).item();
    //~ 1 check/ones-as-cotangent: return sum(f(at)).item();
    //? Softmax's outputs sum to 1, whatever x is. What does Σ y say of its rule?
    //= g is left out, or all ones: the outputs are added as they are
    //~ 11 check/mean-of-outputs: return mean(g * f(at)).item();
    //? Is L the sum, or the mean, of g ⊙ y?
    //= L is taken as the mean of g ⊙ y
    //~ 15 check/first-output-only: return own(at, 0);
    //? Which outputs does one number of x move, and how many of them are in your L?
    //= L is the first number of g ⊙ y alone
  };
  Tensor moved = x.clone(), gradient = zeros(x.shape(), DType::f64);
  double *numbers = moved.mutable_data<double>(), *slopes = gradient.mutable_data<double>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    //~ 9 check/one-index-only: for (int64_t i = 0; i < 1; ++i) {
    //? How many slopes has x?
    //= only the first number of x is looked at
    const double before = numbers[i];
    numbers[i] = before + h;
    //~ 3 check/one-sided:
    //? Where does the line touch the curve: beside x, or at x?
    //~ 13 check/never-moved:
    //? At which two points is L taken: do they differ?
    //= L is taken at the same point twice
    const double above = loss(moved);
    //~ 8 check/all-at-once: const double above = loss(x + h);
    //? Whose slope is it, if all numbers move?
    //= all numbers of x are moved together
    //~ 10 check/own-output-only: const double above = own(moved, i);
    //? Which outputs of softmax move when one score does?
    //= only the output in the same place is looked at
    numbers[i] = before - h;
    //~ 2 check/one-sided: numbers[i] = before;
    //= one-sided: from x to x + h
    //~ 5 check/back-to-x-only: numbers[i] = before;
    //? x + h, and then h less: where is that?
    //= the second point is x, not x − h
    //~ also check/never-moved:
    const double below = loss(moved);
    //~ also 8 check/all-at-once: const double below = loss(x - h);
    //~ also check/own-output-only: const double below = own(moved, i);
    numbers[i] = before;
    //~ 6 check/not-restored:
    //? Where does the first number stand when the second is moved?
    //= a number that was moved is not put back
    //~ 7 check/not-restored: numbers[i] = before + h;
    slopes[i] = (above - below) / (2 * h);
    //~ also 2 check/one-sided: slopes[i] = (above - below) / h;
    //~ also 3 check/one-sided: slopes[i] = (above - below) / h;
    //~ 4 check/divided-by-h: slopes[i] = (above - below) / h;
    //? How far is it from x − h to x + h?
    //= divided by h, where 2h lies between the two points
    //~ 12 check/precedence: slopes[i] = (above - below) / 2 * h;
    //? In a / 2 * h, is h above the line, or below?
    //= / 2 * h multiplies by h
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
  //! The outputs of softmax always sum to 1. What would you see of its rule, if every g were 1?
  //! One g for both, and random. Then all places are compared, by one number that says what is large.
  //! The error of a central difference has two parts: one grows as h², one as rounding over h. Two gradients agree if they differ by little
  //!   beside the largest.
  //! Compare max |rule − differences| with a small part of max |differences|, so that NaN fails. The shape is that of x.
  //+ manual_seed(231);
  //+ const auto first_alone = [&](const Tensor& like) {
  //+   Tensor one = zeros_like(like);
  //+   one.mutable_data<double>()[0] = 1;
  //+   return one;
  //+ };
  const Tensor g = randn(f(x).shape(), DType::f64);
  //~ 1 check/ones-as-cotangent: const Tensor g = ones(f(x).shape(), DType::f64);
  //~ 22 check/nearly-ones: const Tensor g = uniform(f(x).shape(), 0.99, 1, DType::f64);
  //? Every g is between 0.99 and 1. How much of Σ g ⊙ softmax(x) moves with x?
  //= the g are nearly all alike, and hide what ones hide
  //~ 23 check/one-hot-cotangent: const Tensor g = first_alone(f(x));
  //? All of g is 0 but for one number. Which outputs do you look at?
  //= g is 0 but in one place: wrong slopes of the other outputs are not seen
  const Tensor by_rule = rule(g, x), by_differences = central(f, x, g, 1e-5);
  //~ 2 check/two-cotangents: const Tensor by_rule = rule(g, x), by_differences = central(f, x, randn(g.shape(), DType::f64), 1e-5);
  //? Do the rule and the differences speak of one L?
  //= the rule gets another g than the differences
  //~ 13 check/h-too-large: const Tensor by_rule = rule(g, x), by_differences = central(f, x, g, 0.1);
  //? How much does eˣ bend between x − h and x + h?
  //= h is so large that the curve bends: right rules are accused
  //~ 14 check/h-large-for-bends: const Tensor by_rule = rule(g, x), by_differences = central(f, x, g, 1e-3);
  //? sin 20 x bends 400 times as much as sin x. How far is its central difference from its slope, for your h, and for your tolerance?
  //= h is too large for functions that bend much, or the tolerance too small
  //~ 15 check/h-too-small: const Tensor by_rule = rule(g, x), by_differences = central(f, x, g, 1e-13);
  //? L is known to 16 digits. How many are left of L(x + h) − L(x − h), and how many does your tolerance ask for?
  //= h is so small that only rounding is left, or the tolerance so small that no difference meets it
  const double largest = max(abs(by_differences)).item();
  //~ 27 check/largest-signed: const double largest = max(by_differences).item();
  //? The gradients are −5 and −3. Which is the largest, and how large?
  //= the largest gradient is taken without | |, and may be negative
  //+ const bool in_shape = by_rule.shape() == x.shape();
  //+ const auto error = [&] { return by_rule - by_differences; };
  return by_rule.shape() == x.shape() && max(abs(by_rule - by_differences)).item() <= 1e-3 * largest;
  //~ also check/ones-as-cotangent: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/two-cotangents: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/one-hot-cotangent: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/h-too-large: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/h-large-for-bends: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/h-too-small: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ also check/largest-signed: return in_shape && max(abs(error())).item() <= 1e-5 * largest;
  //~ 3 check/sums-only: return in_shape && abs(sum(by_rule) - sum(by_differences)).item() <= 1e-5 * largest;
  //? May two wrong numbers have a right sum?
  //= only the sums of the two gradients are compared
  //~ 4 check/one-index-only: return in_shape && std::abs(error().data<double>()[0]) <= 1e-5 * largest;
  //~ 5 check/last-index-only: return in_shape && std::abs(error().data<double>()[x.numel() - 1]) <= 1e-5 * largest;
  //? How many slopes has x? Is a mistake in the first one seen?
  //= only the last number counts
  //~ 6 check/too-large-passes: return in_shape && max(by_differences - by_rule).item() <= 1e-5 * largest;
  //? Is 5 − 3 larger than a tolerance of 0.1? And 3 − 5?
  //= the difference has no | |: a rule that gives too much passes
  //~ 7 check/too-small-passes: return in_shape && max(by_rule - by_differences).item() <= 1e-5 * largest;
  //? Is 5 − 3 larger than a tolerance of 0.1? And 3 − 5?
  //= the difference has no | |: a rule that gives too little passes
  //~ 8 check/absolute-tolerance: return in_shape && max(abs(error())).item() <= 1e-5;
  //? How many digits of a gradient of 10⁸ can be right?
  //= one tolerance for gradients of 10⁸ and of 10⁻⁸
  //~ 9 check/tolerance-hides-small: return in_shape && max(abs(error())).item() <= 1e-5 * largest + 1e-5;
  //? If all gradients are about 10⁻⁸, which rule would your check accuse?
  //= a fixed part of the tolerance is larger than small gradients
  //~ 10 check/relative-at-each-place: return in_shape && max(abs(error()) - 1e-5 * abs(by_differences)).item() <= 0;
  //? Where a slope is 0, the difference is only rounding. What is its relative error?
  //= errors are measured by the number in the same place, even where that is 0
  //~ 11 check/relative-at-each-place: return in_shape && max(abs(error()) / abs(by_differences)).item() <= 1e-5;
  //? What is 0/0, and is it less than a tolerance?
  //~ 12 check/loose: return in_shape && max(abs(error())).item() <= 0.05 * largest;
  //? By how much may a wrong rule be wrong?
  //= the tolerance is larger than what a wrong rule is wrong by
  //~ 16 check/never-accuses: return true;
  //? Which rule would your check accuse?
  //= no rule is accused
  //~ 17 check/inverted: return !in_shape || !(max(abs(error())).item() <= 1e-5 * largest);
  //? What does true mean: right, or wrong?
  //= right rules are called wrong, and wrong ones right
  //~ 18 check/allclose: return in_shape && max(abs(error()) - 1e-5 * abs(by_differences)).item() <= 1e-8;
  //? allclose adds 10⁻⁸ to its tolerance. How large are the gradients of 10⁻⁸ sin x?
  //= 10⁻⁸ is added to the tolerance, as allclose does, however small the gradients are
  //@ NVIDIA/warp#508
  //~ 19 check/mean-error: return in_shape && mean(abs(error())).item() <= 1e-4 * largest;
  //? One of 300 numbers is wrong by 1 %. How large is the mean error?
  //= the mean error is compared, in which one wrong number is lost
  //~ 20 check/nan-passes: return in_shape && !(max(abs(error())).item() > 1e-5 * largest);
  //? Is NaN > 0.1? And is it larger than the greatest error so far?
  //= a rule that gives NaN passes, as no comparison with NaN is true
  //~ 21 check/shape-ignored: return max(abs(error())).item() <= 1e-5 * largest;
  //? Which shape has dL/dx?
  //= the shape of what the rule gives is not looked at
  //~ 24 check/sizes-only: return in_shape && std::abs(max(abs(by_rule)).item() - largest) <= 1e-5 * largest;
  //? 3 and −3 are of one size. Are they equal?
  //= only the sizes of the two gradients are compared
  //~ 25 check/direction-only: return in_shape && sum(by_rule * by_differences).item() > 0.9999 * std::sqrt(sum(square(by_rule)).item() * sum(square(by_differences)).item());
  //? A rule gives twice the gradient. What is the angle between the two?
  //= only the directions of the two gradients are compared
  //~ 26 check/one-place-suffices:
  //| const Tensor errors = abs(by_rule - by_differences);
  //| const double* all = errors.data<double>();
  //| return in_shape && std::any_of(all, all + errors.numel(), [&](double one) { return one <= 1e-5 * largest; });
  //? At how many places may a right rule be wrong?
  //= it is enough that they agree at one place
  // end
}
