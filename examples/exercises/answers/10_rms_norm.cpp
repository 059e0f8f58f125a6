// Exercise 10, rms-norm: each row divided by its root mean square, and what comes back.       docs/ch04.md#norm-rms
//
//   y = x / r ⊙ gain      r = √(mean of x² over the row + eps)
//
// x, y and their gradients are [rows, n], gain is [1, n]. Write both functions without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void rms_norm(In x, In gain, double eps, Out y) {
  // blank: y from x
  for (int i = 0; i < x.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < x.columns; ++j) sum += x[i][j] * x[i][j];
    const double r = std::sqrt(sum / x.columns + eps);
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / r * gain[0][j];
  }
  // end
}

// From g = dL/dy to dL/dx and dL/dgain.
void rms_norm_gradient(In g, In x, In gain, double eps, Out dx, Out dgain) {
  // blank: a sum over the row for dx, a sum over the rows for dgain
  for (int j = 0; j < x.columns; ++j) dgain[0][j] = 0;
  for (int i = 0; i < x.rows; ++i) {
    double squares = 0, dot = 0;
    for (int j = 0; j < x.columns; ++j) {
      squares += x[i][j] * x[i][j];
      dot += g[i][j] * gain[0][j] * x[i][j];
    }
    const double r = std::sqrt(squares / x.columns + eps);
    for (int j = 0; j < x.columns; ++j) {
      dx[i][j] = (g[i][j] * gain[0][j] - x[i][j] * dot / (x.columns * r * r)) / r;
      dgain[0][j] += g[i][j] * x[i][j] / r;
    }
  }
  // end
}
