// Exercise 14, rope: queries and keys, turned by angles that grow with their positions.       docs/ch06.md#pos-rope
//
//   a' = a cos φ − b sin φ      φ = p · ω_k      ω_k = theta^(−2k / width)
//   b' = a sin φ + b cos φ
//
// x is one head, [T, d], and row t stands at position p = positions[0][t]. The pairs (a, b) are the numbers 2k and 2k + 1 of
// a row, for k = 0 … width/2 − 1. What comes after the first `width` numbers does not turn.
// See also docs/ch06.md#pos-rope-partial, docs/ch06.md#pos-rope-half-permutation.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void rope(In x, In positions, int width, double theta, Out y) {
  // blank: turn each pair, and copy the rest
  for (int t = 0; t < x.rows; ++t) {
    for (int k = 0; k < width / 2; ++k) {
      const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width);
      const double a = x[t][2 * k], b = x[t][2 * k + 1];
      y[t][2 * k] = a * std::cos(phi) - b * std::sin(phi);
      y[t][2 * k + 1] = a * std::sin(phi) + b * std::cos(phi);
    }
    for (int j = width; j < x.columns; ++j) y[t][j] = x[t][j];
  }
  // end
}

// From g = dL/dy to dL/dx.
void rope_gradient(In g, In positions, int width, double theta, Out dx) {
  // blank: where does the gradient of a turned pair go?
  for (int t = 0; t < g.rows; ++t) {
    for (int k = 0; k < width / 2; ++k) {
      const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width);
      const double a = g[t][2 * k], b = g[t][2 * k + 1];
      dx[t][2 * k] = a * std::cos(phi) + b * std::sin(phi);
      dx[t][2 * k + 1] = b * std::cos(phi) - a * std::sin(phi);
    }
    for (int j = width; j < g.columns; ++j) dx[t][j] = g[t][j];
  }
  // end
}

// What attention gets in place of q, k and v [T, heads · d]. The columns of head h begin at h · d; all d numbers turn.
void rope_heads(In q, In k, In v, In positions, int heads, double theta, Out new_q, Out new_k, Out new_v) {
  // blank: each head by itself (a row of one head is In{1, d, q[t] + h * d})
  const int d = q.columns / heads;
  for (int t = 0; t < q.rows; ++t) {
    const In here{1, 1, positions.numbers + t};
    for (int h = 0; h < heads; ++h) {
      rope(In{1, d, q[t] + h * d}, here, d, theta, Out{1, d, new_q[t] + h * d});
      rope(In{1, d, k[t] + h * d}, here, d, theta, Out{1, d, new_k[t] + h * d});
    }
    for (int j = 0; j < v.columns; ++j) new_v[t][j] = v[t][j];
  }
  // end
}

// A checkpoint's W_q [heads · d, n] makes queries whose pair k is (k, k + d/2) of a head. Order its rows for pairs (2k, 2k + 1).
void pairs_from_halves(In w, int heads, Out y) {
  // blank: where does each row go?
  const int d = w.rows / heads;
  for (int row = 0; row < w.rows; ++row) {
    const int head = row / d, i = row % d;
    const int from = head * d + i / 2 + (i % 2) * (d / 2);
    for (int j = 0; j < w.columns; ++j) y[row][j] = w[from][j];
  }
  // end
}
