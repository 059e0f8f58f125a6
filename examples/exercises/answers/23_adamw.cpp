// Exercise 23, adamw: two optimizers that remember.                                  docs/ch10-adam.md#optim-adamw
//
//   nesterov   u ← μ u + g
//              θ ← θ − lr (g + μ u)                        docs/ch10.md#optim-nesterov
//
//   adamw      m ← β₁ m + (1 − β₁) g       m̂ = m / (1 − β₁ᵗ)
//              v ← β₂ v + (1 − β₂) g²      v̂ = v / (1 − β₂ᵗ)
//              θ ← θ − lr λ θ − lr m̂ / (√v̂ + ε)            λ is `decay`
//
// All arrays are [rows, n]. θ, m, v and u hold what they were before the step; change them in place. t counts the steps from 1.
// Matrices decay; a gain or a bias, which has one row, does not.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void nesterov(In g, double lr, double mu, Out theta, Out u) {
  // blank: one step; u is remembered
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) {
      u[i][j] = mu * u[i][j] + g[i][j];
      theta[i][j] -= lr * (g[i][j] + mu * u[i][j]);
    }
  }
  // end
}

void adamw(In g, int t, double lr, double beta1, double beta2, double eps, double decay, Out theta, Out m, Out v) {
  // blank: step number t; m and v are remembered
  const double left1 = 1 - std::pow(beta1, t), left2 = 1 - std::pow(beta2, t);
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) {
      m[i][j] = beta1 * m[i][j] + (1 - beta1) * g[i][j];
      v[i][j] = beta2 * v[i][j] + (1 - beta2) * g[i][j] * g[i][j];
      const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      if (theta.rows > 1) theta[i][j] -= lr * decay * theta[i][j];
      theta[i][j] -= lr * m_hat / (std::sqrt(v_hat) + eps);
    }
  }
  // end
}
