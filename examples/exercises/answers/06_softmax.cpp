// Exercise 6, softmax: from scores to probabilities, and what comes back.                     docs/ch01.md#act-softmax
//
//   y_i = e^(x_i - c) / Σ_k e^(x_k - c)      c = max_k x_k, the greatest score of the row
//
// All arrays are [rows, n], each row by itself. Scores may be 1,000 or -1,000; a score of -∞ gets the probability 0.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Softmax, and its gradient by hand
//! minutes: 35
//! needs:
//! done: Every score changes every probability of its row: that is the sum in the gradient, and y (1 − y) lacks it.
#include "examples/exercises/rows.h"

void softmax(In x, Out y) {
  // blank: y from x
  //! 100 is added to all scores of a row. What happens to y? And what is e^1000 for a computer?
  //! A row is passed three times: to find its greatest score, to add up exponentials, to divide.
  //! y depends on differences of scores alone, so the greatest one may be subtracted: then no exponential is above 1, and one is 1.
  //! y_j = e^(x_j − c) / Σ_k e^(x_k − c), with c the greatest score of this row.
  //~ 1 softmax/axis:
  //| for (int j = 0; j < x.columns; ++j) {
  //|   double greatest = x[0][j], sum = 0;
  //|   for (int i = 1; i < x.rows; ++i) greatest = std::max(greatest, x[i][j]);
  //|   for (int i = 0; i < x.rows; ++i) sum += y[i][j] = std::exp(x[i][j] - greatest);
  //|   for (int i = 0; i < x.rows; ++i) y[i][j] /= sum;
  //| }
  //| return;
  //? Which numbers sum to 1: those of a row, or those of a column?
  //~ 10 softmax/whole-array:
  //| double sum = 0;
  //| for (int i = 0; i < x.rows; ++i) {
  //|   const double greatest = *std::max_element(x[i], x[i] + x.columns);
  //|   for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(x[i][j] - greatest);
  //| }
  //| for (int j = 0; j < x.rows * x.columns; ++j) y[0][j] /= sum;
  //| return;
  //? How many sums are there for four rows?
  //= one sum for all rows
  //+ double greatest_before = -INFINITY, sum_before = 0;
  for (int i = 0; i < x.rows; ++i) {
    double greatest = x[i][0], sum = 0;
    //~ 3 softmax/max-with-zero: double greatest = 0, sum = 0;
    //? What is the greatest score of a row whose scores are all −1000? And with which number does your search begin?
    //= the search for the greatest score begins with 0, or another number that is too large
    //@ NNlib.jl PR43
    //~ 23 softmax/max-with-zero: double greatest = -100, sum = 0;
    //~ 4 softmax/max-of-all-rows: double greatest = *std::max_element(x[0], x[x.rows]), sum = 0;
    //? One row lies 1,600 below another. What is left of its exponentials?
    //= the greatest score of the whole array is subtracted from every row
    //~ 5 softmax/max-kept: double greatest = std::max(greatest_before, x[i][0]), sum = 0;
    //? With which value does the search for the greatest begin in the second row?
    //= the greatest score is not searched anew in each row
    //~ 11 softmax/sum-kept: double greatest = x[i][0], sum = sum_before;
    //? What is the sum before the second row begins?
    //= the sum goes on from row to row
    //~ 24 softmax/one-added: double greatest = x[i][0], sum = 1;
    //? What is the sum before the first exponential?
    //= 1 is added to the sum of exponentials
    //@ softmax1 (Miller, 2023)
    for (int j = 1; j < x.columns; ++j) greatest = std::max(greatest, x[i][j]);
    //~ also 3 softmax/max-with-zero: for (int j = 0; j < x.columns; ++j) greatest = std::max(greatest, x[i][j]);
    //~ also 23 softmax/max-with-zero: for (int j = 0; j < x.columns; ++j) greatest = std::max(greatest, x[i][j]);
    //~ 6 softmax/mean-subtracted:
    //| for (int j = 1; j < x.columns; ++j) greatest += x[i][j];
    //| greatest /= x.columns;
    //? Is every exponent 0 or less?
    //= the mean of a row is subtracted, not its greatest score
    //~ 7 softmax/least-subtracted: for (int j = 1; j < x.columns; ++j) greatest = std::min(greatest, x[i][j]);
    //? Is every exponent 0 or less?
    //= the least score of a row is subtracted, not the greatest
    //~ 18 softmax/max-so-far:
    //? Is the greatest score known when you subtract it from the first?
    //= from each score the greatest so far is subtracted, not the greatest of the row
    for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(x[i][j] - greatest);
    //~ 2 softmax/no-max: for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(x[i][j]);
    //? What are e^800 and e^−800 for a computer? And ∞ / ∞, and 0 / 0?
    //= the greatest score is not subtracted
    //@ mxnet-the-straight-dope#3, nupic PR3818
    //~ 8 softmax/max-above-only:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = std::exp(x[i][j] - greatest);
    //|   sum += std::exp(x[i][j]);
    //| }
    //? From how many of the exponents is the greatest score subtracted?
    //= the greatest score is subtracted above the line, and not in the sum
    //~ 9 softmax/max-below-only:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = std::exp(x[i][j]);
    //|   sum += std::exp(x[i][j] - greatest);
    //| }
    //? From how many of the exponents is the greatest score subtracted?
    //= the greatest score is subtracted in the sum, and not above the line
    //~ 12 softmax/sum-so-far:
    //? Is the sum complete when you divide the first number?
    //= each number is divided by the sum up to it
    //~ 13 softmax/no-exponential: for (int j = 0; j < x.columns; ++j) sum += y[i][j] = x[i][j];
    //? How do negative scores become positive?
    //= each score is divided by the sum of the scores
    //~ 14 softmax/exponent-negated: for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(greatest - x[i][j]);
    //? Which score gets the greatest probability?
    //= e^(c − x) in place of e^(x − c)
    //~ 15 softmax/base-2: for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp2(x[i][j] - greatest);
    //? Which number is raised to the power of the score?
    //= 2^x in place of e^x
    //~ also softmax/max-so-far:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   greatest = std::max(greatest, x[i][j]);
    //|   sum += y[i][j] = std::exp(x[i][j] - greatest);
    //| }
    //~ 21 softmax/whole-sum: for (int j = 0; j < x.columns; ++j) sum = std::trunc(sum + (y[i][j] = std::exp(x[i][j] - greatest)));
    //? What becomes of e^−1 in an int?
    //= the sum is kept in whole numbers
    //~ 22 softmax/sum-from-second:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = std::exp(x[i][j] - greatest);
    //|   if (j > 0) sum += y[i][j];
    //| }
    //? How many exponentials has a row of 3, and how many has your sum?
    //= the first exponential is not in the sum
    //~ 25 softmax/max-added: for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(x[i][j] + greatest);
    //? What are the greatest score's exponent, and the exponential of it?
    //= the greatest score is added, not subtracted
    for (int j = 0; j < x.columns; ++j) y[i][j] /= sum;
    //~ also softmax/sum-so-far:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   sum += y[i][j] = std::exp(x[i][j] - greatest);
    //|   y[i][j] /= sum;
    //| }
    //~ 16 softmax/sigmoid: for (int j = 0; j < x.columns; ++j) y[i][j] = 1 / (1 + std::exp(-x[i][j]));
    //? Does your y_i change if another score does?
    //= a sigmoid of each score by itself
    //~ 17 softmax/logarithm: for (int j = 0; j < x.columns; ++j) y[i][j] = std::log(y[i][j] / sum);
    //? Can a probability be negative?
    //= the logarithm of softmax
    //~ 19 softmax/not-divided:
    //? To what do the numbers of a row of y sum?
    //= the exponentials are not divided by their sum
    //~ 20 softmax/divided-by-n: for (int j = 0; j < x.columns; ++j) y[i][j] /= x.columns;
    //? To what do the numbers of a row of y sum?
    //= divided by n, where the sum of the exponentials is meant
    //+ greatest_before = greatest, sum_before = sum;
  }
  // end
}

// From g = dL/dy to dL/dx. y is what softmax gave for x; x itself is not needed.
void softmax_gradient(In g, In y, Out dx) {
  // blank: every x_j changes every y_i of its row
  //! One score goes up. What do the other probabilities of its row do, and to what do all changes sum?
  //! One sum for each row, of g and y together; then a second pass that uses it.
  //! dx compares each g with the average of g over the row, weighted by y.
  //! dy_i/dx_j = y_i (δ_ij − y_j). Summed over i with g_i, this is y_j times (g_j − q), where q = Σ_i g_i y_i.
  //~ 13 softmax/softmax-again:
  //| softmax(y, dx);
  //| y = {dx.rows, dx.columns, dx.numbers};
  //? Is y a row of scores, or what softmax made of them?
  //= softmax is applied to y once more
  //+ double average_before = 0;
  for (int i = 0; i < y.rows; ++i) {
    double average = 0;
    //~ 11 softmax/gradient-sum-kept: double average = average_before;
    //? What is the sum before the second row begins?
    //= the sum of g · y goes on from row to row
    for (int j = 0; j < y.columns; ++j) average += g[i][j] * y[i][j];
    //~ 2 softmax/gradient-of-log: for (int j = 0; j < y.columns; ++j) average += g[i][j];
    //? Whose gradient is g − y Σ g?
    //= the gradient of log-softmax
    //~ 3 softmax/plus-for-times: for (int j = 0; j < y.columns; ++j) average += g[i][j] + y[i][j];
    //? What is averaged over the row: g + y, or g · y?
    //= the sum over the row is of g + y, not of g · y
    //~ 7 softmax/average-unweighted: for (int j = 0; j < y.columns; ++j) average += g[i][j];
    //? Does an output of probability 0 count in the sum?
    //= the sum over the row is of g, without y
    //~ 20 softmax/sum-of-squares: for (int j = 0; j < y.columns; ++j) average += y[i][j] * y[i][j];
    //? The average over the row: of what is it?
    //= the sum over the row is of y², where g · y is meant
    //~ 10 softmax/gradient-whole-array:
    //| for (int k = 0; k < y.rows; ++k) {
    //|   for (int j = 0; j < y.columns; ++j) average += g[k][j] * y[k][j];
    //| }
    //? How many sums are there for four rows?
    //= one sum of g · y for all rows
    //~ 12 softmax/gradient-sum-so-far:
    //? Is the sum complete when you use it first?
    //= each number uses the sum of g · y up to it
    for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] - average);
    //~ 1 softmax/diagonal-only: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (1 - y[i][j]) * g[i][j];
    //? How many outputs of a row change when one score does?
    //= y (1 − y) g, the sigmoid's rule: the other outputs are forgotten
    //@ libnd4j#440
    //~ also softmax/gradient-of-log: for (int j = 0; j < y.columns; ++j) dx[i][j] = g[i][j] - y[i][j] * average;
    //~ 4 softmax/average-missing: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * g[i][j];
    //? One score goes up. What happens to the other probabilities?
    //= dx = y ⊙ g, and no sum over the row
    //~ 5 softmax/gradient-sign: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] + average);
    //? If g is the same for all, what is dx?
    //= the sum over the row is added, not subtracted
    //~ 6 softmax/average-divided-by-n: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] - average / y.columns);
    //? The weights y sum to 1 already. What is left to divide by?
    //= the sum of g · y is divided by n
    //~ 8 softmax/gradient-without-y: for (int j = 0; j < y.columns; ++j) dx[i][j] = g[i][j] - average;
    //? What is the gradient of a score whose probability is 0?
    //= dx = g − Σ g · y: a factor y is missing
    //~ 9 softmax/gradient-axis:
    //| for (int j = 0; j < y.columns; ++j) {
    //|   double down = 0;
    //|   for (int k = 0; k < y.rows; ++k) down += g[k][j] * y[k][j];
    //|   dx[i][j] = y[i][j] * (g[i][j] - down);
    //| }
    //? Along which axis did softmax go?
    //= the sum of g · y is taken over a column
    //~ also softmax/gradient-sum-so-far:
    //| for (int j = 0; j < y.columns; ++j) {
    //|   average += g[i][j] * y[i][j];
    //|   dx[i][j] = y[i][j] * (g[i][j] - average);
    //| }
    //~ 14 softmax/off-diagonal-only: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] * y[i][j] - average);
    //? On which way does x_j reach its own y_j?
    //= −y_i Σ g_k y_k over the other k alone
    //~ 15 softmax/last-term:
    //| for (int j = 0; j < y.columns; ++j) {
    //|   for (int k = 0; k < y.columns; ++k) dx[i][j] = g[i][k] * y[i][k] * ((k == j ? 1 : 0) - y[i][j]);
    //| }
    //? n terms go into one number. How many of them are in yours?
    //= each term overwrites the one before
    //~ 16 softmax/sum-without-y: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * g[i][j] - average;
    //? If g is 1 for all, what is dx, and what is yours?
    //= dx = y ⊙ g − Σ g · y: the sum is not multiplied by y
    //~ 17 softmax/own-g-alone: for (int j = 0; j < y.columns; ++j) dx[i][j] = 0;
    //? The loss feels x_j through every y_i. Which g belongs to the way through y_i?
    //= each row of the Jacobian is multiplied by its own g, and then it sums to 0
    //~ 18 softmax/g-missing: for (int j = 0; j < y.columns; ++j) dx[i][j] = -y[i][j] * average;
    //? x_j grows. What does the numerator e^x_j do to y_j, and where is that in your dx?
    //= dx = −y Σ g · y: the term with the own g is missing
    //~ 19 softmax/off-diagonal-sign: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] + average - 2 * g[i][j] * y[i][j]);
    //? One score goes up. Do the other probabilities go up, or down?
    //= dy_i/dx_j is + y_i y_j for i ≠ j, where − is meant
    //~ 21 softmax/y-squared: for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * y[i][j] * (g[i][j] - average);
    //? How many times does y_j stand in y_i (δ_ij − y_j), summed with g?
    //= y multiplies twice
    //+ average_before = average;
  }
  // end
}
