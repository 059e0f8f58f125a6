// Exercise 8, activations: three of them, and their slopes.                                docs/ch02-smooth.md#act-silu
//
//   leaky ReLU   y = x where x > 0, slope · x elsewhere      docs/ch02.md#act-leaky-relu
//   SiLU         y = x σ(x)      σ(x) = 1 / (1 + e^-x)
//   GELU         y = x Φ(x)      Φ(x) = ½ (1 + erf(x / √2))  docs/ch02-smooth.md#act-gelu
//
// All arrays are [rows, columns], and each number is by itself. A gradient gets g = dL/dy and gives dL/dx. x may be ±800.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void leaky_relu(In x, double slope, Out y) {
  // blank: y from x
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : slope * x[i][j];
  }
  // end
}

void leaky_relu_gradient(In g, In x, double slope, Out dx) {
  // blank: dx from g and x; at x = 0 it is the slope from below
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : slope * g[i][j];
  }
  // end
}

void silu(In x, Out y) {
  // blank: y from x
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(-x[i][j]));
  }
  // end
}

void silu_gradient(In g, In x, Out dx) {
  // blank: x is used twice
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const double s = 1 / (1 + std::exp(-x[i][j]));
      dx[i][j] = g[i][j] * (s + x[i][j] * s * (1 - s));
    }
  }
  // end
}

void gelu(In x, Out y) {
  // blank: y from x; std::erf is there
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j] / std::sqrt(2.0))) / 2;
  }
  // end
}

void gelu_gradient(In g, In x, Out dx) {
  // blank: the slope of Φ is the normal density; M_PI is π
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const double below = (1 + std::erf(x[i][j] / std::sqrt(2.0))) / 2;
      const double density = std::exp(-x[i][j] * x[i][j] / 2) / std::sqrt(2 * M_PI);
      dx[i][j] = g[i][j] * (below + x[i][j] * density);
    }
  }
  // end
}
