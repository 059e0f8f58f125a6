// Exercise 3, rule-matmul: what the factors of a matrix product get back.                     docs/ch00.md#op-matmul
//
//   y = a b, that is y_sj = Σ_k a_sk b_kj      dL/da and dL/db from g = dL/dy
//
// a is [rows, inner], b is [inner, columns], y and g are [rows, columns]. A gradient has the shape of its factor.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: the rules of a matrix product
//! minutes: 40
//! needs: rule-mul
//! done: Square matrices forgive a forgotten transpose; sizes that differ do not. And a factor that is used again gets a sum, over rows,
//!   over a stack, over both places.
#include "examples/exercises/rows.h"

void matmul_gradient(In g, In a, In b, Out da, Out db) {
  // blank: a sum over the columns of g for da, a sum over its rows for db
  //! Which numbers of y move when a_00 grows? And beside which number of b does a_00 stand in each of them?
  //! Three loops each. The outer two go over the gradient that is made, the inner one over the numbers of y that this number moves.
  //! Both gradients are products again, with one factor transposed. With three different sizes the shapes leave one way.
  //! dL/da = g bᵀ and dL/db = aᵀ g: da_sk = Σ_j g_sj b_kj, db_kj = Σ_s a_sk g_sj.
  for (int s = 0; s < a.rows; ++s) {
    for (int k = 0; k < a.columns; ++k) {
      da[s][k] = 0;
      //~ 6 op/da-not-begun-anew: da[s][k] = s + k > 0 ? da[0][s * a.columns + k - 1] : 0;
      //? With what does the sum for the second number begin?
      //= the sum for each number of da begins where the one before ended
      //~ 13 op/da-not-begun-anew: da[s][k] = k > 0 ? da[s][k - 1] : 0;
      //? With what does the sum for the second number of a row begin?
      for (int j = 0; j < g.columns; ++j) da[s][k] += g[s][j] * b[k][j];
      //~ 1 op/b-not-transposed: for (int j = 0; j < g.columns; ++j) da[s][k] += g[s][j] * b[j][k];
      //? Which numbers of b does a_00 meet: a row of b, or a column?
      //= da = g b, where g bᵀ is meant
      //~ 3 op/gradients-exchanged: for (int i = 0; i < g.rows; ++i) da[s][k] += a[i][s] * g[i][k];
      //? Which of the two gradients is made of b?
      //= da is made as db should be, and db as da
      //~ 4 op/da-last-term: for (int j = 0; j < g.columns; ++j) da[s][k] = g[s][j] * b[k][j];
      //? How many numbers of y does one number of a move?
      //= da has the last term of its sum alone
      //~ 9 op/g-missing: for (int j = 0; j < g.columns; ++j) da[s][k] += b[k][j];
      //? y moves by 4: how far does the loss move?
      //= the slopes of y, without what arrives at y
      //~ 10 op/matrix-by-elements: da[s][k] = g[s][k] * b[s][k];
      //? How many numbers of y does one number of a move?
      //= the rule of a product number by number
      //~ 11 op/whole-sums: for (int j = 0; j < g.columns; ++j) da[s][k] = std::trunc(da[s][k] + g[s][j] * b[k][j]);
      //? What becomes of 0.7 in an int?
      //= the sums are kept in whole numbers
      //~ 12 op/g-transposed: for (int j = 0; j < g.columns; ++j) da[s][k] += g[j][s] * b[k][j];
      //? Which number of g belongs to y_sj: g_sj, or g_js?
      //= g is read with rows and columns exchanged
    }
  }
  for (int k = 0; k < b.rows; ++k) {
    for (int j = 0; j < b.columns; ++j) {
      db[k][j] = 0;
      //~ 7 op/db-not-begun-anew: db[k][j] = k + j > 0 ? db[0][k * b.columns + j - 1] : 0;
      //? With what does the sum for the second number begin?
      //= the sum for each number of db begins where the one before ended
      //~ 14 op/db-not-begun-anew: db[k][j] = j > 0 ? db[k][j - 1] : 0;
      //? With what does the sum for the second number of a row begin?
      for (int s = 0; s < g.rows; ++s) db[k][j] += a[s][k] * g[s][j];
      //~ 2 op/a-not-transposed: for (int s = 0; s < g.rows; ++s) db[k][j] += a[k][s] * g[s][j];
      //? Which numbers of a does b_00 meet: a row of a, or a column?
      //= db = a g, where aᵀ g is meant
      //~ also op/gradients-exchanged: for (int i = 0; i < g.columns; ++i) db[k][j] += g[k][i] * b[j][i];
      //~ 5 op/db-last-term: for (int s = 0; s < g.rows; ++s) db[k][j] = a[s][k] * g[s][j];
      //? How many rows use one weight?
      //= db has the last term of its sum alone
      //~ 8 op/mean-over-rows: for (int s = 0; s < g.rows; ++s) db[k][j] += a[s][k] * g[s][j] / g.rows;
      //? Do gradients of several uses add up, or average?
      //= a mean over the rows, where a sum is meant
      //~ also op/g-missing: for (int s = 0; s < g.rows; ++s) db[k][j] += a[s][k];
      //~ also op/matrix-by-elements: db[k][j] = g[k][j] * a[k][j];
      //~ also op/whole-sums: for (int s = 0; s < g.rows; ++s) db[k][j] = std::trunc(db[k][j] + a[s][k] * g[s][j]);
      //~ also op/g-transposed: for (int s = 0; s < g.rows; ++s) db[k][j] += a[s][k] * g[j][s];
    }
  }
  // end
}

// One a, and `matrices` matrices b, which stand below each other: b is [matrices · inner, columns]. y = a b for each of them, so
// y and g are [matrices · rows, columns].
void stack_gradient(int matrices, In g, In a, In b, Out da, Out db) {
  // blank: the same for each matrix of the stack
  //! There is one a, and there are several b. What of a and of one b is shared by the matrices of the stack?
  //! A loop over the matrices around those of a single one. Matrix m begins at row m · inner of b, and at row m · rows of g.
  //! What is used in several places gets the sum of their gradients; what is used once does not.
  //! dL/da = Σ_m g_m b_mᵀ, begun with 0 before the first matrix; dL/db_m = aᵀ g_m.
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
          //~ 1 op/matmul-batch-not-summed: da[s][k] = (j > 0 ? da[s][k] : 0) + g[m * a.rows + s][j] * b[m * a.columns + k][j];
          //? How many matrices of the stack does a meet?
          //= da is that of the last matrix alone: the stack is not summed
          //@ flashlight PR760
          //~ 2 op/first-of-stack: if (m == 0) da[s][k] += g[m * a.rows + s][j] * b[m * a.columns + k][j];
          //? How many matrices of the stack does a meet?
          //= da is that of the first matrix alone
          //~ 3 op/mean-over-stack: da[s][k] += g[m * a.rows + s][j] * b[m * a.columns + k][j] / matrices;
          //? Do gradients of several uses add up, or average?
          //= da is a mean over the stack, not a sum
          //~ 4 op/one-b-for-all: da[s][k] += g[m * a.rows + s][j] * b[k][j];
          //? Which b belongs to the second part of g?
          //= da meets the first b with every part of g
          //~ 5 op/one-g-for-all: da[s][k] += g[s][j] * b[m * a.columns + k][j];
          //? Which part of g belongs to the second b?
          //= each b meets the first part of g
          //~ 6 op/b-not-transposed: da[s][k] += g[m * a.rows + s][j] * b[m * a.columns + j][k];
          //= da = g b, where g bᵀ is meant
          //~ 8 op/wrong-place-in-stack: da[s][k] += g[m * a.rows + s][j] * b[m * a.rows + k][j];
          //? How many rows has each b?
          //= the b of the stack are taken to have as many rows as a
          //~ 9 op/wrong-place-in-g: da[s][k] += g[m * a.columns + s][j] * b[m * a.columns + k][j];
          //? How many rows has each part of g?
          //= the parts of g are taken to have as many rows as b
          db[m * a.columns + k][j] += a[s][k] * g[m * a.rows + s][j];
          //~ also op/one-g-for-all: db[m * a.columns + k][j] += a[s][k] * g[s][j];
          //~ 7 op/a-not-transposed: db[m * a.columns + k][j] += a[k][s] * g[m * a.rows + s][j];
          //= db = a g, where aᵀ g is meant
          //~ also op/wrong-place-in-g: db[m * a.columns + k][j] += a[s][k] * g[m * a.columns + s][j];
          //~ 10 op/db-in-first-place: db[k][j] += a[s][k] * g[m * a.rows + s][j];
          //? Where does the gradient of the second b stand?
          //= the gradients of all b are added up in the place of the first
        }
      }
    }
  }
  // end
}

// A matrix times a vector, y_s = Σ_k a_sk v_k: v is [1, inner], y and g are [1, rows].
void vector_gradient(In g, In a, In v, Out da, Out dv) {
  // blank: da is a matrix, dv a row
  //! a_01 grows. Which numbers of y move, and beside which number of v does it stand?
  //! da is a matrix, of two loops and no sum; dv is a row, each of whose numbers is a sum over the rows of a.
  //! A number of a stands in one y, a number of v in all of them.
  //! dL/da_sk = g_s v_k and dL/dv_k = Σ_s a_sk g_s.
  for (int k = 0; k < a.columns; ++k) dv[0][k] = 0;
  for (int s = 0; s < a.rows; ++s) {
    for (int k = 0; k < a.columns; ++k) {
      da[s][k] = g[0][s] * v[0][k];
      //~ 1 op/matmul-vector:
      //| da[s][k] = 0;
      //| for (int i = 0; i < std::min(g.columns, v.columns); ++i) da[s][k] += g[0][i] * v[0][i];
      //? How many numbers has the gradient of a?
      //= one number, Σ g v, in place of a matrix: the transpose of a vector did nothing
      //@ harvard-edge/cs249r_book PR1781
      //~ 2 op/outer-exchanged: da[s][k] = g[0][k] * v[0][s];
      //? a_01 stands in the sum of y_0, beside v_1. So what is its gradient?
      //= da_sk = v_s g_k, where g_s v_k is meant
      //~ 5 op/da-without-v: da[s][k] = g[0][s];
      //? a_00 grows by 0.1, and v_0 is 3. How far does y_0 move?
      //= da is g in each column, without v
      //~ 6 op/da-without-g: da[s][k] = v[0][k];
      //? y_0 moves by 3: how far does the loss move?
      //= da is v in each row, without g
      dv[0][k] += a[s][k] * g[0][s];
      //~ 3 op/dv-not-transposed: dv[0][k] += a[k][s] * g[0][s];
      //? Which numbers of a does v_0 meet: a row of a, or a column?
      //= dv = a g, where aᵀ g is meant
      //~ 4 op/dv-last-term: dv[0][k] = a[s][k] * g[0][s];
      //? In how many rows is v_0 used?
      //= dv has the last term of its sum alone
      //~ 7 op/dv-without-g: dv[0][k] += a[s][k];
      //? y_0 moves by 3: how far does the loss move?
      //= dv is the sum of a over its rows, without g
      //~ 8 op/mean-over-rows: dv[0][k] += a[s][k] * g[0][s] / a.rows;
    }
  }
  // end
}

// One matrix as both factors, y = x xᵀ: y_st = Σ_k x_sk x_tk. x is [rows, inner], y and g are [rows, rows].
void gram_gradient(In g, In x, Out dx) {
  // blank: what comes back to x by both ways
  //! y_01 is the product of rows 0 and 1 of x. Which numbers of y does row 0 move, as the left factor, and as the right one?
  //! Take x xᵀ for a product of two matrices, and see what each of them gets. g need not be symmetric.
  //! x stands in both places, and what stands in two places gets the sum.
  //! dL/dx = g x + gᵀ x.
  for (int s = 0; s < x.rows; ++s) {
    for (int k = 0; k < x.columns; ++k) {
      dx[s][k] = 0;
      for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] + g[t][s]) * x[t][k];
      //~ 1 op/one-of-both-factors: for (int t = 0; t < x.rows; ++t) dx[s][k] += g[s][t] * x[t][k];
      //? In how many places of x xᵀ does x stand?
      //= of the two gradients of x one is lost: it is g x alone, or gᵀ x alone
      //@ PaddlePaddle/Paddle#11977
      //~ 2 op/one-of-both-factors: for (int t = 0; t < x.rows; ++t) dx[s][k] += g[t][s] * x[t][k];
      //~ 3 op/gram-as-if-symmetric: for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] + g[s][t]) * x[t][k];
      //? Is g equal to gᵀ?
      //= one of the two gradients of x twice, as if g were symmetric
      //~ 4 op/gram-as-if-symmetric: for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[t][s] + g[t][s]) * x[t][k];
      //~ 5 op/mean-for-sum: for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] + g[t][s]) / 2 * x[t][k];
      //? Do gradients of several uses add up, or average?
      //= gradients of several uses are averaged
      //~ 6 op/gram-subtracted: for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] - g[t][s]) * x[t][k];
      //? Do gradients of several uses add up?
      //= the gradients of the two places are subtracted
      //~ 7 op/gram-last-term: for (int t = 0; t < x.rows; ++t) dx[s][k] = (g[s][t] + g[t][s]) * x[t][k];
      //? How many numbers of y does one number of x move?
      //= dx has the last term of its sum alone
      //~ 8 op/gram-diagonal-once: for (int t = 0; t < x.rows; ++t) dx[s][k] += (s == t ? g[s][t] : g[s][t] + g[t][s]) * x[t][k];
      //? y_00 is Σ x_0k². What is its slope?
      //= on the diagonal only one of the two places counts
      //~ 9 op/gram-own-row: for (int t = 0; t < x.rows; ++t) dx[s][k] += (g[s][t] + g[t][s]) * x[s][k];
      //? y_st = Σ x_sk x_tk. What does x_sk stand beside?
      //= row s of dx is made of row s of x, where row t is meant
      //~ 10 op/gram-half: for (int t = 0; t <= s; ++t) dx[s][k] += (g[s][t] + g[t][s]) * x[t][k];
      //? Which numbers of y use the first row of x?
      //= only the rows up to the own one are summed
    }
  }
  // end
}
