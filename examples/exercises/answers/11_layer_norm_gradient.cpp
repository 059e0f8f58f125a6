// Exercise 11, layer-norm-gradient: each row centred and scaled, and what comes back.           docs/ch04.md#norm-layer
//
//   y = x̂ ⊙ gain + bias      x̂ = (x − μ) / r      r = √(σ² + eps)
//
// μ is the mean of a row of n numbers, σ² the mean of (x − μ)² over it. x, y and their gradients are [rows, n], gain and bias
// [1, n]. Write both functions without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void layer_norm(In x, In gain, In bias, double eps, Out y) {
  // blank: y from x
  const int n = x.columns;
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0;
    for (int j = 0; j < n; ++j) mean += x[i][j] / n;
    for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / n;
    const double r = std::sqrt(variance + eps);
    for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * gain[0][j] + bias[0][j];
  }
  // end
}

// From g = dL/dy to dL/dx, dL/dgain and dL/dbias.
void layer_norm_gradient(In g, In x, In gain, double eps, Out dx, Out dgain, Out dbias) {
  // blank: two means over the row for dx, sums over the rows for dgain and dbias
  const int n = x.columns;
  for (int j = 0; j < n; ++j) dgain[0][j] = dbias[0][j] = 0;
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0, mean_g = 0, mean_gx = 0;
    for (int j = 0; j < n; ++j) mean += x[i][j] / n;
    for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / n;
    const double r = std::sqrt(variance + eps);
    for (int j = 0; j < n; ++j) {
      const double arriving = g[i][j] * gain[0][j], normalized = (x[i][j] - mean) / r;
      mean_g += arriving / n;
      mean_gx += arriving * normalized / n;
      dgain[0][j] += g[i][j] * normalized;
      dbias[0][j] += g[i][j];
    }
    for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * mean_gx) / r;
  }
  // end
}
