// Exercise 6, softmax: from scores to probabilities, and what comes back.                     docs/ch01.md#act-softmax
//
//   y_i = e^(x_i - c) / Σ_k e^(x_k - c)      c = max_k x_k, the greatest score of the row
//
// All arrays are [rows, n], each row by itself. Scores may be 1,000 or -1,000; a score of -∞ gets the probability 0.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void softmax(In x, Out y) {
  // blank: y from x
  for (int i = 0; i < x.rows; ++i) {
    double greatest = x[i][0], sum = 0;
    for (int j = 1; j < x.columns; ++j) greatest = std::max(greatest, x[i][j]);
    for (int j = 0; j < x.columns; ++j) sum += y[i][j] = std::exp(x[i][j] - greatest);
    for (int j = 0; j < x.columns; ++j) y[i][j] /= sum;
  }
  // end
}

// From g = dL/dy to dL/dx. y is what softmax gave for x; x itself is not needed.
void softmax_gradient(In g, In y, Out dx) {
  // blank: every x_j changes every y_i of its row
  for (int i = 0; i < y.rows; ++i) {
    double average = 0;
    for (int j = 0; j < y.columns; ++j) average += g[i][j] * y[i][j];
    for (int j = 0; j < y.columns; ++j) dx[i][j] = y[i][j] * (g[i][j] - average);
  }
  // end
}
