// Exercise 3, rule-matmul: what the factors of a matrix product get back.                     docs/ch00.md#op-matmul
//
//   y = a b, that is y_sj = Σ_k a_sk b_kj      dL/da and dL/db from g = dL/dy
//
// a is [rows, inner], b is [inner, columns], y and g are [rows, columns]. A gradient has the shape of its factor.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void matmul_gradient(In g, In a, In b, Out da, Out db) {
  // blank: a sum over the columns of g for da, a sum over its rows for db
  for (int s = 0; s < a.rows; ++s) {
    for (int k = 0; k < a.columns; ++k) {
      da[s][k] = 0;
      for (int j = 0; j < g.columns; ++j) da[s][k] += g[s][j] * b[k][j];
    }
  }
  for (int k = 0; k < b.rows; ++k) {
    for (int j = 0; j < b.columns; ++j) {
      db[k][j] = 0;
      for (int s = 0; s < g.rows; ++s) db[k][j] += a[s][k] * g[s][j];
    }
  }
  // end
}

// One a, and `matrices` matrices b, which stand below each other: b is [matrices · inner, columns]. y = a b for each of them, so
// y and g are [matrices · rows, columns].
void stack_gradient(int matrices, In g, In a, In b, Out da, Out db) {
  // blank: the same for each matrix of the stack
  for (int s = 0; s < a.rows; ++s) {
    for (int k = 0; k < a.columns; ++k) da[s][k] = 0;
  }
  for (int k = 0; k < b.rows; ++k) {
    for (int j = 0; j < b.columns; ++j) db[k][j] = 0;
  }
  for (int m = 0; m < matrices; ++m) {
    for (int s = 0; s < a.rows; ++s) {
      for (int k = 0; k < a.columns; ++k) {
        for (int j = 0; j < b.columns; ++j) {
          da[s][k] += g[m * a.rows + s][j] * b[m * a.columns + k][j];
          db[m * a.columns + k][j] += a[s][k] * g[m * a.rows + s][j];
        }
      }
    }
  }
  // end
}

// A matrix times a vector, y_s = Σ_k a_sk v_k: v is [1, inner], y and g are [1, rows].
void vector_gradient(In g, In a, In v, Out da, Out dv) {
  // blank: da is a matrix, dv a row
  for (int k = 0; k < a.columns; ++k) dv[0][k] = 0;
  for (int s = 0; s < a.rows; ++s) {
    for (int k = 0; k < a.columns; ++k) {
      da[s][k] = g[0][s] * v[0][k];
      dv[0][k] += a[s][k] * g[0][s];
    }
  }
  // end
}

// One matrix as both factors, y = x xᵀ: y_st = Σ_k x_sk x_tk. x is [rows, inner], y and g are [rows, rows].
void gram_gradient(In g, In x, Out dx) {
  // blank: what comes back to x by both ways
  for (int s = 0; s < x.rows; ++s) {
    for (int k = 0; k < x.columns; ++k) {
      dx[s][k] = 0;
      for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] + g[t][s]) * x[t][k];
    }
  }
  // end
}
