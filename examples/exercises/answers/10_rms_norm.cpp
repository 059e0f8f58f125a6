// Exercise 10, rms-norm: each row divided by its root mean square, and what comes back.       docs/ch04.md#norm-rms
//
//   y = x / r ⊙ gain      r = √(mean of x² over the row + eps)
//
// x, y and their gradients are [rows, n], gain is [1, n]. Write both functions without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: RMSNorm, and its gradient by hand
//! minutes: 40
//! needs:
//! done: r is made of the same x that it divides: that is the second term, and most wrong answers lack it.
#include "examples/exercises/rows.h"

void rms_norm(In x, In gain, double eps, Out y) {
  // blank: y from x
  //! What do you know of the mean of y² over a row, if the gain is 1 and ε is tiny?
  //! r belongs to a row: one pass over the row finds it, a second one uses it.
  //! Making a row longer does not change y, but for ε: r grows as much as x.
  //! y_j = x_j / √(Σ_k x_k² / n + ε) · gain_j.
  //+ double kept = 0;
  for (int i = 0; i < x.rows; ++i) {
    //+ double mean = 0;
    //+ for (int j = 0; j < x.columns; ++j) mean += x[i][j] / x.columns;
    double sum = 0;
    //~ 19 norm/sum-kept: double sum = kept;
    //? What is left in the sum when the second row begins?
    //= a sum goes on from row to row
    for (int j = 0; j < x.columns; ++j) sum += x[i][j] * x[i][j];
    //~ 6 norm/l1: for (int j = 0; j < x.columns; ++j) sum += std::abs(x[i][j]);
    //? Which mean is it: of the sizes, or of the squares?
    //= the mean of |x| in place of the root of the mean of x²
    //~ 8 norm/whole-array:
    //| for (int k = 0; k < x.rows; ++k) {
    //|   for (int j = 0; j < x.columns; ++j) sum += x[k][j] * x[k][j];
    //| }
    //? Does your r differ from row to row?
    //= one r for all rows
    //~ 10 norm/centred: for (int j = 0; j < x.columns; ++j) sum += (x[i][j] - mean) * (x[i][j] - mean);
    //? What happens to a row whose numbers are all 5?
    //= the mean subtracted before squaring, as layer norm does
    //~ 16 norm/layer-norm-for-rms: for (int j = 0; j < x.columns; ++j) sum += (x[i][j] - mean) * (x[i][j] - mean);
    //? What happens to a row whose numbers are all 5?
    //= the mean is subtracted: this is layer norm
    //~ 20 norm/sum-so-far:
    //? Is the sum complete when you divide the first number of a row?
    //= each number is divided by what has been summed up to it
    //~ 21 norm/whole-sum: for (int j = 0; j < x.columns; ++j) sum = std::trunc(sum + x[i][j] * x[i][j]);
    //? What becomes of 0.7 in an int?
    //= the sum is kept in whole numbers
    //~ 22 norm/square-of-sum:
    //| for (int j = 0; j < x.columns; ++j) sum += x[i][j];
    //| sum *= sum;
    //? What is r for the row 1, −1?
    //= the square of the sum, where the sum of the squares is meant
    //+ kept = sum;
    const double r = std::sqrt(sum / x.columns + eps);
    //~ 1 norm/eps-outside-root: const double r = std::sqrt(sum / x.columns) + eps;
    //? Where does ε stand: below the root, or beside it?
    //~ 2 norm/eps-missing: const double r = std::sqrt(sum / x.columns);
    //? What is y for a row of zeros?
    //= no ε: a row of zeros is divided by 0
    //~ 3 norm/eps-hard-coded: const double r = std::sqrt(sum / x.columns + 1e-6);
    //? What happens when somebody asks for another ε?
    //~ 4 norm/sum-not-mean: const double r = std::sqrt(sum + eps);
    //? A row of n ones: what is r for n = 3, and for n = 7? And what is yours?
    //= Σ x² in place of its mean
    //~ 5 norm/unbiased: const double r = std::sqrt(sum / (x.columns - 1) + eps);
    //? Which number divides the sum of squares?
    //= the mean square divided by n − 1
    //~ 7 norm/root-forgotten: const double r = sum / x.columns + eps;
    //? Twice as large an x: how does your y change?
    //= divided by the mean square, not by its root
    //~ also norm/whole-array: const double r = std::sqrt(sum / (x.rows * x.columns) + eps);
    //~ 17 norm/eps-over-n: const double r = std::sqrt((sum + eps) / x.columns);
    //? Is ε added before the sum is divided by n, or after it?
    //= ε is divided by n as well
    //~ 18 norm/whole-division: const double r = std::sqrt(1 / x.columns * sum + eps);
    //? What is 1 / 3 in C++, if both are whole numbers?
    //= 1 / n of whole numbers, which is 0: only ε is left below the root
    //~ 23 norm/root-before-mean: const double r = std::sqrt(sum + eps) / x.columns;
    //? A row of n ones: what is r for n = 4, and what is yours?
    //= √Σ / n: the root is taken before the division by n
    //~ 24 norm/root-before-mean: const double r = std::sqrt(sum) / x.columns + eps;
    //~ 26 norm/eps-as-floor: const double r = std::sqrt(std::max(sum / x.columns, eps));
    //? A mean square of 1 and an ε of 1: what is r?
    //= ε is a lower bound, not added
    //~ 27 norm/eps-squared: const double r = std::sqrt(sum / x.columns + eps * eps);
    //? A row of zeros: what is r, in terms of ε?
    //= ε² below the root
    //~ 28 norm/eps-after-inverse: const double r = 1 / (1 / std::sqrt(sum / x.columns) + eps);
    //? To what is ε added: to the mean square, or to 1 over its root?
    //= ε is added to 1 / √(mean of x²)
    //~ 29 norm/eps-subtracted: const double r = std::sqrt(sum / x.columns - eps);
    //? A row of zeros: what stands below the root?
    //= ε is subtracted
    //~ 32 norm/squared-for-root: const double r = std::pow(sum / x.columns + eps, 2);
    //? x twice as large: y stays. What does yours do?
    //= squared where the root is meant
    //@ TPlinker#37
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * gain[0][j];
    //~ 11 norm/gain-missing: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r;
    //? The gain doubled: what should y do, and what does yours?
    //= no gain
    //~ 12 (convention) norm/gain-plus-one: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * (1 + gain[0][j]);
    //? What does a gain of 0 give?
    //= the gain is kept as its distance from 1
    //@ Gemma
    //~ 13 norm/gain-twice: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * gain[0][j] * gain[0][j];
    //? How often is the gain used?
    //= multiplied by the gain twice
    //~ 14 norm/gain-below: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r / gain[0][j];
    //? Does a larger gain make y larger?
    //= divided by the gain
    //~ 15 norm/gain-of-row: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * gain[0][i];
    //? Which number of the gain belongs to column j?
    //= gain[0][i]: all numbers of a row get the same gain
    //~ 31 norm/gain-first: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * gain[0][0];
    //? Which number of the gain belongs to column j?
    //= gain[0][0] for all columns
    //~ 30 norm/gain-added: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r + gain[0][j];
    //? The gain doubled: what should y do, and what does yours?
    //= the gain is added, not multiplied by
    //~ 25 norm/r-multiplied: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * r * gain[0][j];
    //? x twice as large: what becomes of y?
    //= multiplied by r, not divided
    //~ also norm/layer-norm-for-rms: for (int j = 0; j < x.columns; ++j) y[i][j] = (x[i][j] - mean) / r * gain[0][j];
    //~ 9 norm/over-columns:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   double down = 0;
    //|   for (int k = 0; k < x.rows; ++k) down += x[k][j] * x[k][j];
    //|   y[i][j] = x[i][j] / std::sqrt(down / x.rows + eps) * gain[0][j];
    //| }
    //? Over which axis is the mean taken?
    //= the mean taken over the rows
    //~ also norm/sum-so-far:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   sum += x[i][j] * x[i][j];
    //|   y[i][j] = x[i][j] / std::sqrt(sum / x.columns + eps) * gain[0][j];
    //| }
  }
  // end
}

// From g = dL/dy to dL/dx and dL/dgain.
void rms_norm_gradient(In g, In x, In gain, double eps, Out dx, Out dgain) {
  // blank: a sum over the row for dx, a sum over the rows for dgain
  //! x becomes longer, and y stays. What must dx ⊙ x sum to, but for ε?
  //! Two sums over a row come first: Σ x², and Σ of ĝ ⊙ x. dgain is another kind of sum: over the rows, one for each column, begun with 0
  //!   before the first.
  //! dx is at right angles to x. So it is ĝ = g ⊙ gain minus its part along x, over r.
  //! dx = (ĝ − x · mean(ĝ ⊙ x) / r²) / r, and dgain is the sum over the rows of g ⊙ x / r.
  //+ double squares_before = 0, dot_before = 0;
  for (int j = 0; j < x.columns; ++j) dgain[0][j] = 0;
  for (int i = 0; i < x.rows; ++i) {
    double squares = 0, dot = 0;
    //~ 19 norm/sum-kept: double squares = squares_before, dot = dot_before;
    //? What is left in your sums when the second row begins?
    //~ 20 norm/sum-kept: double squares = squares_before, dot = 0;
    //? What is left in the sum of squares when the second row begins?
    //~ 21 norm/sum-kept: double squares = 0, dot = dot_before;
    //? What is left in the sum of ĝ ⊙ x when the second row begins?
    for (int j = 0; j < x.columns; ++j) {
      squares += x[i][j] * x[i][j];
      dot += g[i][j] * gain[0][j] * x[i][j];
      //~ 3 norm/gradient-without-gain: dot += g[i][j] * x[i][j];
      //? What arrives at x / r: g, or g ⊙ gain?
      //= the second term of dx uses g where ĝ = g ⊙ gain is meant
      //~ 9 norm/gradient-gain-nowhere: dot += g[i][j] * x[i][j];
      //? What arrives at x / r: g, or g ⊙ gain?
      //= dx is made of g, where ĝ = g ⊙ gain is meant
      //~ 11 norm/gradient-gain-last: dot += g[i][j] * x[i][j];
      //? Does the gain come before the norm, or after it? Which gradient arrives at x / r?
      //= dx is made of g and multiplied by the gain at the end; its sums have g in place of ĝ
      //~ 15 (convention) norm/gain-plus-one: dot += g[i][j] * (1 + gain[0][j]) * x[i][j];
      //~ 17 norm/gain-of-row: dot += g[i][j] * gain[0][i] * x[i][j];
      //~ 26 norm/sum-so-far:
      //? Is the sum complete when you use it for the first number of a row?
    }
    //+ squares_before = squares, dot_before = dot;
    const double r = std::sqrt(squares / x.columns + eps);
    //~ 18 norm/eps-over-n: const double r = std::sqrt((squares + eps) / x.columns);
    //~ 27 norm/whole-division: const double r = std::sqrt(1 / x.columns * squares + eps);
    //~ 28 norm/eps-missing: const double r = std::sqrt(squares / x.columns);
    //? Is your r the same as in the value, ε and all?
    //~ 30 norm/eps-outside-root: const double r = std::sqrt(squares / x.columns) + eps;
    for (int j = 0; j < x.columns; ++j) {
      dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / (x.columns * r * r)) / r;
      //~ 1 norm/r-held-constant: dx[i][j] = g[i][j] * gain[0][j] / r;
      //? r is made of x, too. What comes back through it?
      //= dx = ĝ / r: the gradient through r is missing
      //~ 2 norm/gradient-sum-not-mean: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / (r * r)) / r;
      //? Your r is a mean. Where is its 1/n in the gradient?
      //= the second term of dx lacks 1/n
      //~ 4 norm/gradient-r-squared: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / (x.columns * r)) / r;
      //? How many r stand below the second term?
      //= the second term of dx lacks one r
      //~ 5 norm/gradient-sign: dx[i][j] = (g[i][j] * gain[0][j] + x[i][j] * dot / (x.columns * r * r)) / r;
      //? r grows with x. Does y then grow, or shrink?
      //= the second term of dx has the other sign
      //~ also norm/gradient-gain-nowhere: dx[i][j] = (g[i][j] - x[i][j] * dot / (x.columns * r * r)) / r;
      //~ 10 norm/gradient-gain-in-sum-alone: dx[i][j] = (g[i][j] - x[i][j] * dot / (x.columns * r * r)) / r;
      //? What arrives at x / r: g, or g ⊙ gain? In how many of your terms?
      //= the first term of dx is of g, where ĝ = g ⊙ gain is meant
      //~ also norm/gradient-gain-last: dx[i][j] = (g[i][j] - x[i][j] * dot / (x.columns * r * r)) / r * gain[0][j];
      //~ 13 norm/gradient-doubled: dx[i][j] = (g[i][j] * gain[0][j] - 2 * x[i][j] * dot / (x.columns * r * r)) / r;
      //? The slope of x² is 2x, that of √s is 1 / (2 √s). What is left of the 2?
      //= the term that comes through r is twice as large
      //~ 14 norm/gradient-halved: dx[i][j] = (g[i][j] * gain[0][j] - 0.5 * x[i][j] * dot / (x.columns * r * r)) / r;
      //? The slope of x² is 2x, that of √s is 1 / (2 √s). What is left of the ½?
      //= the term that comes through r is half as large
      //~ also norm/gain-plus-one: dx[i][j] = (g[i][j] * (1 + gain[0][j]) - x[i][j] * dot / (x.columns * r * r)) / r;
      //~ 16 norm/gradient-r-missing: dx[i][j] = g[i][j] * gain[0][j] - x[i][j] * dot / (x.columns * r * r);
      //? x twice as large: y stays. What does dx do?
      //= dx is not divided by r
      //~ also norm/gain-of-row: dx[i][j] = (g[i][j] * gain[0][i] - x[i][j] * dot / (x.columns * r * r)) / r;
      //~ 22 norm/gradient-without-r-squared: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / x.columns) / r;
      //? How many r stand below the second term?
      //= the second term of dx lacks both r of mean(ĝ ⊙ x) / r²
      //~ 23 norm/gradient-r-above: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / x.columns * r * r) / r;
      //? In a / n * r * r, does r stand above the line, or below?
      //= the second term of dx is multiplied by r², where it should be divided
      //~ 24 norm/gradient-along-y: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * gain[0][j] * dot / (x.columns * r * r)) / r;
      //? Which vector is taken away: x / r, or y, which has the gain in it?
      //= the second term of dx goes along y, where x / r is meant
      //~ 25 norm/gradient-without-x: dx[i][j] = (g[i][j] * gain[0][j] - dot / (x.columns * r * r)) / r;
      //? Is what comes back through r the same for all columns?
      //= the second term of dx lacks its factor x
      //~ 29 norm/eps-missing-in-second-term: dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / squares) / r;
      //? r stands in both terms. Is it the same number in each?
      //= ε is missing where the sum is divided by r²
      //~ also norm/sum-so-far:
      //| dot += g[i][j] * gain[0][j] * x[i][j];
      //| dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / (x.columns * r * r)) / r;
      dgain[0][j] += g[i][j] * x[i][j] / r;
      //~ 6 norm/dgain-of-x: dgain[0][j] += g[i][j] * x[i][j];
      //? The gain multiplies x, or x / r?
      //= dgain = Σ g ⊙ x, not over r
      //~ 7 norm/dgain-of-one-row: dgain[0][j] = g[i][j] * x[i][j] / r;
      //? How many rows use one gain?
      //= dgain of the last row alone
      //~ 8 op/mean-for-sum: dgain[0][j] += g[i][j] * x[i][j] / r / x.rows;
      //? Do gradients of several uses add up, or average?
      //= gradients of several uses are averaged
      //~ 12 norm/dgain-with-gain: dgain[0][j] += g[i][j] * x[i][j] / r * gain[0][j];
      //? What does the gain multiply: x / r, or y?
      //= dgain is multiplied by the gain
      //~ 31 norm/dgain-over-r-squared: dgain[0][j] += g[i][j] * x[i][j] / (r * r);
      //? The gain multiplies x / r. How many r are there?
      //= dgain is divided by r twice
      //~ 32 norm/dgain-by-division: dgain[0][j] += g[i][j] * (x[i][j] / r * gain[0][j]) / gain[0][j];
      //? What is y / gain where the gain is 0?
      //= x / r is made as y / gain, which is 0/0 where the gain is 0
    }
  }
  // end
}
