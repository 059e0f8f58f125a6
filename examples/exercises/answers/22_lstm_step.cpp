// Exercise 22, lstm-step: one step of an LSTM, and what comes back.                     docs/ch09-cells.md#model-lstm
//
//   a = W x + U h + b        i = σ(a_i)   f = σ(a_f)   n = tanh(a_n)   o = σ(a_o)
//   c' = f ⊙ c + i ⊙ n       h' = o ⊙ tanh(c')
//
// Each row is a text: x is [B, in]; h, c, h' and c' are [B, hidden], a is [B, 4 · hidden]. W is [4 · hidden, in], U is
// [4 · hidden, hidden], b is [1, 4 · hidden]: i of all units first, then f, then n, then o.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

void lstm_step(In x, In h, In c, In w, In u, In b, Out h_new, Out c_new) {
  // blank: the four sums of a unit, its gates, its cell, its output
  const int hidden = h.columns;
  for (int t = 0; t < x.rows; ++t) {
    const auto arriving = [&](int row) {
      double a = b[0][row];
      for (int m = 0; m < x.columns; ++m) a += w[row][m] * x[t][m];
      for (int m = 0; m < hidden; ++m) a += u[row][m] * h[t][m];
      return a;
    };
    for (int j = 0; j < hidden; ++j) {
      const double i = sigmoid(arriving(j)), f = sigmoid(arriving(hidden + j));
      const double n = std::tanh(arriving(2 * hidden + j)), o = sigmoid(arriving(3 * hidden + j));
      c_new[t][j] = f * c[t][j] + i * n;
      h_new[t][j] = o * std::tanh(c_new[t][j]);
    }
  }
  // end
}

// g is dL/dh', gc is what the next step sends to c'; da is dL/da, dc is dL/dc. (W, U and b are one matrix product further.)
void lstm_gradient(In a, In c, In g, In gc, Out da, Out dc) {
  // blank: first all of dL/dc', then the four gates and the cell before
  const int hidden = c.columns;
  for (int t = 0; t < c.rows; ++t) {
    for (int j = 0; j < hidden; ++j) {
      const double i = sigmoid(a[t][j]), f = sigmoid(a[t][hidden + j]);
      const double n = std::tanh(a[t][2 * hidden + j]), o = sigmoid(a[t][3 * hidden + j]);
      const double shown = std::tanh(f * c[t][j] + i * n);
      const double d_cell = gc[t][j] + g[t][j] * o * (1 - shown * shown);
      da[t][j] = d_cell * n * i * (1 - i);
      da[t][hidden + j] = d_cell * c[t][j] * f * (1 - f);
      da[t][2 * hidden + j] = d_cell * i * (1 - n * n);
      da[t][3 * hidden + j] = g[t][j] * shown * o * (1 - o);
      dc[t][j] = d_cell * f;
    }
  }
  // end
}
