// Exercise 13, sinusoids: a row of waves for each position, and where it is added.            docs/ch05.md#pos-sinusoidal
//
//   PE(p, 2i) = sin(p ω_i)      PE(p, 2i + 1) = cos(p ω_i)      ω_i = base^(−2i / d)
//
// Row t of y [T, d] is PE at the position p = positions[0][t]; d is even.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void sinusoids(In positions, double base, Out y) {
  // blank: y[t][j] for each position and each column
  for (int t = 0; t < y.rows; ++t) {
    for (int i = 0; i < y.columns / 2; ++i) {
      const double phi = positions[0][t] * std::pow(base, -2.0 * i / y.columns);
      y[t][2 * i] = std::sin(phi);
      y[t][2 * i + 1] = std::cos(phi);
    }
  }
  // end
}

// What the first block of a model gets: y = √d · x + PE. x and y are [B · T, d], `texts` texts of T tokens one after the other; each
// text begins at position 0.
void add_sinusoids(In x, int texts, double base, Out y) {
  // blank: at which position does each row stand?
  const int length = x.rows / texts;
  for (int row = 0; row < x.rows; ++row) {
    const double position = row % length;
    sinusoids(In{1, 1, &position}, base, Out{1, x.columns, y[row]});
    for (int j = 0; j < x.columns; ++j) y[row][j] += std::sqrt(x.columns) * x[row][j];
  }
  // end
}
