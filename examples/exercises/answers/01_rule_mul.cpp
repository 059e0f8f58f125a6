// Exercise 1, rule-mul: what the factors of a product get back.                               docs/ch00.md#op-mul
//
//   y = a ⊙ b      dL/da and dL/db from g = dL/dy
//
// g, a, b, y and the gradients have one shape. All are tensors in f64: +, −, * and / go number by number.
//! title: the rule of a product
//! minutes: 15
//! needs:
//! done: The slope of a product is the other factor: so the tape has to keep both until the walk comes back.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Two = std::pair<Tensor, Tensor>;

// {dL/da, dL/db} for y = a ⊙ b.
Two mul_rule(const Tensor& g, const Tensor& a, const Tensor& b) {
  // blank: both gradients
  //! b is 4, and a grows by 0.1. How far does y move? And if the loss moves 3 times as far as y?
  //! Nothing is summed here: each number of y has one a and one b, in its own place.
  //! What one factor does to a product is what the other factor is.
  //! dL/da = dL/dy ⊙ b and dL/db = dL/dy ⊙ a.
  return {g * b, g * a};
  //~ 1 op/own-factors: return {g * a, g * b};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= each factor gets what arrives times itself
  //~ 2 op/own-factor-for-a: return {g * a, g * a};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= a gets what arrives times itself
  //~ 3 op/own-factor-for-b: return {g * b, g * b};
  //? a is 2. Make b larger by 0.1: how far does y move?
  //= b gets what arrives times itself
  //~ 4 op/g-missing: return {b, a};
  //? y moves by 4: how far does the loss move?
  //= the slopes of y, without what arrives at y
  //~ 5 op/factor-missing: return {g, g};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= both get what arrives as it is, as in a sum
  //~ 6 op/value-for-slope: return {g * a * b, g * a * b};
  //? Which number is the slope of y: y, or how fast y grows?
  //= what arrives times y itself
  //~ 7 op/added-not-multiplied: return {g + b, g + a};
  //? Twice as much arrives: how much more does a get?
  //= the factor added to what arrives
  //~ 8 op/both-factors: return {g * (a + b), g * (a + b)};
  //? If only a moves, what does y know of it: a, b, or both?
  //= what arrives times the sum of both factors
  //~ 9 op/factor-twice: return {g * b * b, g * a * a};
  //? b is 4. Make a larger by 0.1: how far does y move?
  //= what arrives times the square of the other factor
  //~ 10 op/divided: return {g / b, g / a};
  //? b is 4. Make a larger by 0.1: does y move by 0.4, or by 0.025?
  //= what arrives is divided by the other factor
  //~ 11 op/by-division: return {g * (a * b / a), g * (a * b / b)};
  //? What is y / a where a is 0?
  //= the other factor is made as y over the own one, which is 0/0 where that is 0
  // end
}

// dL/dx for y = x ⊙ x: one tensor, and both factors.
Tensor square_rule(const Tensor& g, const Tensor& x) {
  // blank: what comes back to x in all
  //! x is 3 and grows by 0.1. How far does y move, in tenths: 3, or 6?
  //! x stands in both places of the product. Each place hands something back.
  //! A tensor that stands in two places gets the sum of both gradients.
  //! dL/dx = dL/dy ⊙ x + dL/dy ⊙ x.
  return g * x + g * x;
  //~ 1 op/one-path: return g * x;
  //? In how many places does x stand?
  //= x gets the gradient of one of its two places
  //~ 2 op/square-without-g: return x + x;
  //? y moves by 4: how far does the loss move?
  //= 2 x, without what arrives at y
  //~ 3 op/square-without-x: return g + g;
  //? Is the slope of x² the same everywhere?
  //= 2 g, whatever x is
  //~ 4 op/square-of-x: return g * x * x;
  //? Which number is the slope of y: y, or how fast y grows?
  //= what arrives times x²
  //~ 5 op/exponent-kept: return 2 * g * x * x;
  //? x³ has the slope 3 x². And x²?
  //= what arrives times 2 x²
  //~ 6 op/square-added: return g + 2 * x;
  //? Twice as much arrives: how much more does x get?
  //= 2 x added to what arrives
  //~ 7 op/by-division: return 2 * g * (x * x / x);
  //? What is x² / x where x is 0?
  //~ 8 op/g-squared: return 2 * g * g * x;
  //? Twice as much arrives: how much more does x get?
  //= what arrives is multiplied in twice
  // end
}

// The same as an op on the tape, with the name "times": y = a ⊙ b, recorded with a rule for each factor. A rule gets a Step:
// step.grad is g, step.input(0) is a, step.input(1) is b. So that this op stands on the tape, and no other, the value is made of
// constants: a.detach(), b.detach().
Tensor times(const Tensor& a, const Tensor& b) {
  // blank: record(name, value, {a, b}, rule of a, rule of b)
  //! What does the tape have to keep of a product, so that the way back can be walked later?
  //! record takes five things: the name, the value made of a.detach() and b.detach(), the inputs, and a rule for each of them.
  //! A rule is your mul_rule again, in terms of a Step: what arrives is step.grad, and a factor is one of step.input(0) and step.input(1).
  //! The rule of a is step.grad ⊙ step.input(1), that of b step.grad ⊙ step.input(0).
  //+ const Tensor value = a.detach() * b.detach();
  //+ const auto of_a = [](const Step& step) { return step.grad * step.input(1); };
  //+ const auto of_b = [](const Step& step) { return step.grad * step.input(0); };
  //+ const auto of_sum = [](const Step& step) { return step.grad; };
  return record(
      "times", a.detach() * b.detach(), {a, b}, [](const Step& step) { return step.grad * step.input(1); },  // dL/da
      [](const Step& step) { return step.grad * step.input(0); });                                           // dL/db
  //~ 1 op/rules-exchanged: return record("times", value, {a, b}, of_b, of_a);
  //? Which rule is a's: the first, or the second?
  //= a gets the gradient that belongs to b, and b that of a
  //~ 2 op/first-rule-twice: return record("times", value, {a, b}, of_a, of_a);
  //? Which input does the second rule read?
  //= both rules read b
  //~ 3 op/second-rule-twice: return record("times", value, {a, b}, of_b, of_b);
  //? Which input does the first rule read?
  //= both rules read a
  //~ 4 op/rules-without-g:
  //| const auto one = [](const Step& step) { return step.input(1) * ones_like(step.grad); };
  //| const auto other = [](const Step& step) { return step.input(0) * ones_like(step.grad); };
  //| return record("times", value, {a, b}, one, other);
  //? What arrives at y, and where do your rules use it?
  //= the rules do not use step.grad
  //~ 5 op/rules-of-a-sum: return record("times", value, {a, b}, of_sum, of_sum);
  //? What does a rule of a product need besides what arrives?
  //= both rules hand on what arrives, as in a sum
  //~ 6 op/value-of-a-sum: return record("times", a.detach() + b.detach(), {a, b}, of_a, of_b);
  //? What is the value of your op for 2 and 3?
  //= the value is the sum
  //~ 7 op/rule-of-constants:
  //| const auto one = [](const Step& step) { return step.grad * step.input(1).detach(); };
  //| const auto other = [](const Step& step) { return step.grad * step.input(0).detach(); };
  //| return record("times", value, {a, b}, one, other);
  //? dL/da = g ⊙ b depends on b. Does yours, if it is walked again?
  //= a rule reads constants, so that a second walk (for second derivatives) finds no way through it
  //~ 8 op/rule-of-constants: return record("times", value, {a, b}, of_a, [](const Step& step) { return step.grad * step.input(0).detach(); });
  //? dL/db = g ⊙ a depends on a. Does yours, if it is walked again?
  //~ 9 op/rule-of-constants: return record("times", value, {a, b}, [](const Step& step) { return step.grad * step.input(1).detach(); }, of_b);
  //? dL/da = g ⊙ b depends on b. Does yours, if it is walked again?
  //~ 10 op/not-recorded: return a * b;
  //? Which op stands on the tape after your call: times, or one that was there before?
  //= y is made by an op of the library, so none of yours is on the tape
  //~ 11 op/new-leaf: return Tensor(value).set_requires_grad();
  //? y asks for a gradient. What does the tape know of how y was made?
  //= y is a new leaf: no op connects it with a and b
  //~ 12 op/by-division:
  //| const auto one = [](const Step& step) { return step.grad * step.output() / step.input(0); };
  //| const auto other = [](const Step& step) { return step.grad * step.output() / step.input(1); };
  //| return record("times", value, {a, b}, one, other);
  //? What is y / a where a is 0?
  // end
}
