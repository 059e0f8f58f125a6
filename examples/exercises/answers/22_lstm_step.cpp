// Exercise 22, lstm-step: one step of an LSTM, and what comes back.                     docs/ch09-cells.md#model-lstm
//
//   a = W x + U h + b        i = σ(a_i)   f = σ(a_f)   n = tanh(a_n)   o = σ(a_o)
//   c' = f ⊙ c + i ⊙ n       h' = o ⊙ tanh(c')
//
// Each row is a text: x is [B, in]; h, c, h' and c' are [B, hidden], a is [B, 4 · hidden]. W is [4 · hidden, in], U is
// [4 · hidden, hidden], b is [1, 4 · hidden]: i of all units first, then f, then n, then o.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: One step of an LSTM, and its gradient
//! minutes: 40
//! needs: activations
//! done: The way from cell to cell has one factor, f, and neither a matrix nor a slope: that is why it lasts.
#include "examples/exercises/rows.h"

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

void lstm_step(In x, In h, In c, In w, In u, In b, Out h_new, Out c_new) {
  // blank: the four sums of a unit, its gates, its cell, its output
  //! Four sums arrive at one unit. In which rows of W, U and b do those of unit j stand?
  //! Units meet only in W x and U h. After these sums each unit is a small formula of four numbers and its cell.
  //! A gate lies between 0 and 1, n between −1 and 1. So no number of h' is larger than 1, and a cell grows by 1 at most.
  //! Row j makes a_i of unit j, row hidden + j its a_f, then come a_n and a_o. The new cell is f c + i n, and h' is o times its tanh.
  const int hidden = h.columns;
  for (int t = 0; t < x.rows; ++t) {
    const auto arriving = [&](int row) {
      double a = b[0][row];
      //~ 17 lstm/bias-ignored: double a = 0;
      //? What arrives at the gates where x and h are 0?
      //= W x + U h, without b
      for (int m = 0; m < x.columns; ++m) a += w[row][m] * x[t][m];
      //~ 23 lstm/input-ignored:
      //? What has the step read, if x has no part in it?
      //= U h + b, without W x
      //~ 24 lstm/terms-of-x-replaced: for (int m = 0; m < x.columns; ++m) a = w[row][m] * x[t][m];
      //? How many terms go into one sum? How many of them are in yours?
      //= in W x each term replaces what was summed before it
      //~ 27 lstm/w-transposed: for (int m = 0; m < x.columns; ++m) a += w[m][row] * x[t][m];
      //? Which index of W counts the numbers of x?
      //= w[m][row] in place of w[row][m]
      for (int m = 0; m < hidden; ++m) a += u[row][m] * h[t][m];
      //~ 16 lstm/hidden-ignored:
      //? How does the last step's output reach this one?
      //= W x + b, without U h
      //~ 19 lstm/state-of-first-text: for (int m = 0; m < hidden; ++m) a += u[row][m] * h[0][m];
      //? Does the second text have its own h and c?
      //= every text goes on from the first one's state
      //~ 22 lstm/hidden-weights-transposed: for (int m = 0; m < hidden; ++m) a += u[row / hidden * hidden + m][row % hidden] * h[t][m];
      //? Which index of U belongs to what arrives?
      //= Uᵀ h in place of U h, for each of the four
      //~ 25 lstm/terms-of-h-replaced: for (int m = 0; m < hidden; ++m) a = u[row][m] * h[t][m];
      //? How many terms go into one sum? How many of them are in yours?
      //= in U h each term replaces what was summed before it
      //~ 28 lstm/u-transposed: for (int m = 0; m < hidden; ++m) a += u[m][row] * h[t][m];
      //? Which index of U counts the numbers of h?
      //= u[m][row] in place of u[row][m]
      return a;
    };
    for (int j = 0; j < hidden; ++j) {
      const double i = sigmoid(arriving(j)), f = sigmoid(arriving(hidden + j));
      //~ 2 (convention) lstm/order-info: const double i = sigmoid(arriving(j)), f = sigmoid(arriving(2 * hidden + j));
      //= the gates stand in the order i, n, f, o, as in TensorFlow's first cells
      //~ 3 (convention) lstm/order-iofn: const double i = sigmoid(arriving(j)), f = sigmoid(arriving(2 * hidden + j));
      //= the gates stand in the order i, o, f, n, as in ONNX
      //~ 4 (convention) lstm/order-fino: const double i = sigmoid(arriving(hidden + j)), f = sigmoid(arriving(j));
      //= the gates stand in the order f, i, n, o
      //~ 5 (convention) lstm/gates-interleaved: const double i = sigmoid(arriving(4 * j)), f = sigmoid(arriving(4 * j + 1));
      //= the four gates of one unit are neighbours
      //~ 6 (convention) lstm/forget-bias: const double i = sigmoid(arriving(j)), f = sigmoid(arriving(hidden + j) + 1);
      //= 1 is added to the forget gate's sum, as in TensorFlow's first cells
      //~ 8 lstm/gates-by-tanh: const double i = std::tanh(arriving(j)), f = std::tanh(arriving(hidden + j));
      //? Between which two numbers should a gate lie?
      //= i, f and o are tanh, not sigmoid
      //~ 29 lstm/gates-without-sigmoid: const double i = arriving(j), f = arriving(hidden + j);
      //? Between which two numbers should a gate lie?
      //= i, f and o are the sums themselves, without sigmoid
      const double n = std::tanh(arriving(2 * hidden + j)), o = sigmoid(arriving(3 * hidden + j));
      //~ 1 (convention) lstm/order-ifon: const double n = std::tanh(arriving(3 * hidden + j)), o = sigmoid(arriving(2 * hidden + j));
      //= the gates stand in the order i, f, o, n
      //~ also lstm/order-info: const double n = std::tanh(arriving(hidden + j)), o = sigmoid(arriving(3 * hidden + j));
      //~ also lstm/order-iofn: const double n = std::tanh(arriving(3 * hidden + j)), o = sigmoid(arriving(hidden + j));
      //~ also lstm/gates-interleaved: const double n = std::tanh(arriving(4 * j + 2)), o = sigmoid(arriving(4 * j + 3));
      //~ 7 lstm/proposal-by-sigmoid: const double n = sigmoid(arriving(2 * hidden + j)), o = sigmoid(arriving(3 * hidden + j));
      //? Can your cell become smaller than what the forget gate leaves of it?
      //= n is a sigmoid, not a tanh
      //~ 21 lstm/proposal-without-tanh: const double n = arriving(2 * hidden + j), o = sigmoid(arriving(3 * hidden + j));
      //? How much can one step write?
      //= n = a_n, without tanh
      //~ also lstm/gates-by-tanh: const double n = std::tanh(arriving(2 * hidden + j)), o = std::tanh(arriving(3 * hidden + j));
      //~ also lstm/gates-without-sigmoid: const double n = std::tanh(arriving(2 * hidden + j)), o = arriving(3 * hidden + j);
      c_new[t][j] = f * c[t][j] + i * n;
      //~ 11 lstm/forget-inverted: c_new[t][j] = (1 - f) * c[t][j] + i * n;
      //? What is left of c where f is 1?
      //= (1 − f) c + i n
      //~ 12 lstm/input-coupled: c_new[t][j] = f * c[t][j] + (1 - f) * n;
      //? Which gate says how much of n is written?
      //= 1 − f stands in the place of i, as in a GRU
      //~ 13 lstm/coupled-gates: c_new[t][j] = (1 - i) * c[t][j] + i * n;
      //? How many gates has this cell?
      //= (1 − i) c + i n: the forget gate is not used
      //~ 14 lstm/input-gate-missing: c_new[t][j] = f * c[t][j] + n;
      //? What is written where i is 0?
      //= f c + n: the input gate is not used
      //~ 15 lstm/forget-gate-missing: c_new[t][j] = c[t][j] + i * n;
      //? What is left of c where f is 0?
      //= c + i n: the forget gate is not used
      //~ 18 lstm/output-for-cell: c_new[t][j] = f * h[t][j] + i * n;
      //? Which of the two states does f multiply?
      //= f h + i n: the output stands where the cell should
      //~ also lstm/state-of-first-text: c_new[t][j] = f * c[0][j] + i * n;
      //~ 26 lstm/written-subtracted: c_new[t][j] = f * c[t][j] - i * n;
      //? Where n is above 0, should the cell grow or shrink?
      //= f c − i n
      h_new[t][j] = o * std::tanh(c_new[t][j]);
      //~ 9 lstm/output-without-tanh: h_new[t][j] = o * c_new[t][j];
      //? How large can h' become?
      //= h' = o c', without tanh
      //~ 10 lstm/old-cell-shown: h_new[t][j] = o * std::tanh(c[t][j]);
      //? Does h' know what this step has written?
      //= h' = o tanh(c), of the cell before the step
      //~ 20 lstm/output-gate-missing: h_new[t][j] = std::tanh(c_new[t][j]);
      //? What is shown where o is 0?
      //= h' = tanh(c'): the output gate is not used
    }
  }
  // end
}

// g is dL/dh', gc is what the next step sends to c'; da is dL/da, dc is dL/dc. (W, U and b are one matrix product further.)
void lstm_gradient(In a, In c, In g, In gc, Out da, Out dc) {
  // blank: first all of dL/dc', then the four gates and the cell before
  //! c' is used twice: where? And what does each of the two uses send back?
  //! Nothing here meets another unit. Make i, f, n, o and c' once more, then go back from h' and c'.
  //! Gradients of several uses add. Begin with all of dL/dc': it goes on to c and to three of the gates. The fourth, o, gets its part from
  //!   h'.
  //! dL/dc' = g_c + g o (1 − tanh² c'). Each factor of a product gets the other one; then comes the slope: f (1 − f) of a sigmoid, 1 − n²
  //!   of a tanh.
  const int hidden = c.columns;
  for (int t = 0; t < c.rows; ++t) {
    for (int j = 0; j < hidden; ++j) {
      const double i = sigmoid(a[t][j]), f = sigmoid(a[t][hidden + j]);
      //~ 24 (convention) lstm/order-info: const double i = sigmoid(a[t][j]), f = sigmoid(a[t][2 * hidden + j]);
      //~ 25 (convention) lstm/order-iofn: const double i = sigmoid(a[t][j]), f = sigmoid(a[t][2 * hidden + j]);
      //~ 26 (convention) lstm/order-fino: const double i = sigmoid(a[t][hidden + j]), f = sigmoid(a[t][j]);
      //~ 27 (convention) lstm/gates-interleaved: const double i = sigmoid(a[t][4 * j]), f = sigmoid(a[t][4 * j + 1]);
      //~ 28 (convention) lstm/forget-bias: const double i = sigmoid(a[t][j]), f = sigmoid(a[t][hidden + j] + 1);
      //~ 29 lstm/gates-without-sigmoid: const double i = a[t][j], f = a[t][hidden + j];
      //? Are you given the gates, or the sums that they are made of?
      const double n = std::tanh(a[t][2 * hidden + j]), o = sigmoid(a[t][3 * hidden + j]);
      //~ 23 (convention) lstm/order-ifon: const double n = std::tanh(a[t][3 * hidden + j]), o = sigmoid(a[t][2 * hidden + j]);
      //~ also lstm/order-info: const double n = std::tanh(a[t][hidden + j]), o = sigmoid(a[t][3 * hidden + j]);
      //~ also lstm/order-iofn: const double n = std::tanh(a[t][3 * hidden + j]), o = sigmoid(a[t][hidden + j]);
      //~ also lstm/gates-interleaved: const double n = std::tanh(a[t][4 * j + 2]), o = sigmoid(a[t][4 * j + 3]);
      //~ also lstm/gates-without-sigmoid: const double n = std::tanh(a[t][2 * hidden + j]), o = a[t][3 * hidden + j];
      const double shown = std::tanh(f * c[t][j] + i * n);
      const double d_cell = gc[t][j] + g[t][j] * o * (1 - shown * shown);
      //~ 1 lstm/next-cell-left-out: const double d_cell = g[t][j] * o * (1 - shown * shown);
      //? How many uses has c'?
      //= the next step's part of dL/dc' is left out
      //@ deeplearning4j#8838
      //~ 5 lstm/cell-slope-missing: const double d_cell = gc[t][j] + g[t][j] * o;
      //? What lies between c' and h'?
      //= g o, without the slope 1 − tanh² c'
      //~ 9 lstm/output-way-missing: const double d_cell = gc[t][j];
      //? How many uses has c'?
      //= h' is left out of dL/dc'
      //~ 16 lstm/next-cell-through-tanh: const double d_cell = (gc[t][j] + g[t][j] * o) * (1 - shown * shown);
      //? Does what the next step sends pass through tanh?
      //= g_c is multiplied by the slope 1 − tanh² c' as well
      //~ 17 lstm/slope-at-old-cell: const double d_cell = gc[t][j] + g[t][j] * o * (1 - std::pow(std::tanh(c[t][j]), 2));
      //? Which cell does h' show?
      //= 1 − tanh² c, of the cell before the step
      //~ 18 lstm/output-gate-missing-in-dc: const double d_cell = gc[t][j] + g[t][j] * (1 - shown * shown);
      //? What stands before tanh(c') in h'?
      //= g (1 − tanh² c'), without o
      //~ 21 lstm/cell-slope-unsquared: const double d_cell = gc[t][j] + g[t][j] * o * (1 - shown);
      //? What is the slope of tanh at −3, and what is yours?
      //= 1 − tanh c', where 1 − tanh² c' is meant
      da[t][j] = d_cell * n * i * (1 - i);
      //~ 2 lstm/sigmoid-for-its-slope: da[t][j] = d_cell * n * i;
      //? What is the slope of a gate that is fully open?
      //= a gate's value stands where its slope f (1 − f) should
      //@ rnn_lstm_from_scratch#1, RNN-LSTM-in-numpy#1
      //~ 3 lstm/slope-of-gate: da[t][j] = d_cell * n * sigmoid(i) * (1 - sigmoid(i));
      //? Is f what goes into the sigmoid, or what comes out?
      //= the slope is taken at σ(f): sigmoid is applied twice
      //~ 4 lstm/sigmoid-slope-missing: da[t][j] = d_cell * n;
      //? What lies between a gate and what arrives at it?
      //= dL/di, dL/df and dL/do, without the slope of sigmoid
      //~ 11 lstm/input-and-proposal-exchanged: da[t][j] = d_cell * i * i * (1 - i);
      //? In a product, which factor does the gradient of i have?
      //= dL/di has the factor i, and dL/dn the factor n
      //~ also lstm/order-fino: da[t][hidden + j] = d_cell * n * i * (1 - i);
      //~ also lstm/gates-interleaved: da[t][4 * j] = d_cell * n * i * (1 - i);
      da[t][hidden + j] = d_cell * c[t][j] * f * (1 - f);
      //~ also lstm/sigmoid-for-its-slope: da[t][hidden + j] = d_cell * c[t][j] * f;
      //~ also lstm/slope-of-gate: da[t][hidden + j] = d_cell * c[t][j] * sigmoid(f) * (1 - sigmoid(f));
      //~ also lstm/sigmoid-slope-missing: da[t][hidden + j] = d_cell * c[t][j];
      //~ 10 lstm/new-cell-for-old: da[t][hidden + j] = d_cell * (f * c[t][j] + i * n) * f * (1 - f);
      //? What does f multiply?
      //= dL/df = dL/dc' · c', with the cell after the step
      //~ 20 lstm/forget-has-proposal: da[t][hidden + j] = d_cell * n * f * (1 - f);
      //? What does f multiply?
      //= dL/df = dL/dc' · n
      //~ 22 lstm/forget-without-cell: da[t][hidden + j] = d_cell * f * (1 - f);
      //? What does f multiply?
      //= dL/df = dL/dc', without c
      //~ also lstm/order-info: da[t][2 * hidden + j] = d_cell * c[t][j] * f * (1 - f);
      //~ also lstm/order-iofn: da[t][2 * hidden + j] = d_cell * c[t][j] * f * (1 - f);
      //~ also lstm/order-fino: da[t][j] = d_cell * c[t][j] * f * (1 - f);
      //~ also lstm/gates-interleaved: da[t][4 * j + 1] = d_cell * c[t][j] * f * (1 - f);
      da[t][2 * hidden + j] = d_cell * i * (1 - n * n);
      //~ 6 lstm/proposal-slope-missing: da[t][2 * hidden + j] = d_cell * i;
      //? What lies between n and what arrives at it?
      //= dL/dn, without the slope of tanh
      //~ 7 lstm/proposal-slope-of-sigmoid: da[t][2 * hidden + j] = d_cell * i * n * (1 - n);
      //? Which function makes n?
      //= n (1 − n), which is the slope of a sigmoid
      //~ 8 lstm/proposal-slope-unsquared: da[t][2 * hidden + j] = d_cell * i * (1 - n);
      //? What is the slope of tanh at −3, and what is yours?
      //= 1 − n, where 1 − n² is meant
      //~ also lstm/input-and-proposal-exchanged: da[t][2 * hidden + j] = d_cell * n * (1 - n * n);
      //~ also lstm/order-ifon: da[t][3 * hidden + j] = d_cell * i * (1 - n * n);
      //~ also lstm/order-info: da[t][hidden + j] = d_cell * i * (1 - n * n);
      //~ also lstm/order-iofn: da[t][3 * hidden + j] = d_cell * i * (1 - n * n);
      //~ also lstm/gates-interleaved: da[t][4 * j + 2] = d_cell * i * (1 - n * n);
      da[t][3 * hidden + j] = g[t][j] * shown * o * (1 - o);
      //~ also lstm/sigmoid-for-its-slope: da[t][3 * hidden + j] = g[t][j] * shown * o;
      //~ also lstm/slope-of-gate: da[t][3 * hidden + j] = g[t][j] * shown * sigmoid(o) * (1 - sigmoid(o));
      //~ also lstm/sigmoid-slope-missing: da[t][3 * hidden + j] = g[t][j] * shown;
      //~ 12 lstm/cell-gradient-to-output: da[t][3 * hidden + j] = d_cell * shown * o * (1 - o);
      //? Which of your sums has o as a factor: that of c', or that of h'?
      //= o gets the gradient of c', where that of h' is meant
      //~ 13 lstm/output-gate-of-cell: da[t][3 * hidden + j] = g[t][j] * (f * c[t][j] + i * n) * o * (1 - o);
      //? What does o multiply?
      //= dL/do = g c', without tanh
      //~ 19 lstm/next-cell-to-output-gate: da[t][3 * hidden + j] = (g[t][j] + gc[t][j]) * shown * o * (1 - o);
      //? Does o reach c'?
      //= dL/do has g_c in it
      //~ also lstm/order-ifon: da[t][2 * hidden + j] = g[t][j] * shown * o * (1 - o);
      //~ also lstm/order-iofn: da[t][hidden + j] = g[t][j] * shown * o * (1 - o);
      //~ also lstm/gates-interleaved: da[t][4 * j + 3] = g[t][j] * shown * o * (1 - o);
      dc[t][j] = d_cell * f;
      //~ 14 lstm/forget-missing-in-dc: dc[t][j] = d_cell;
      //? What does f multiply?
      //= dL/dc = dL/dc', without f
      //~ 15 lstm/dc-of-next-alone: dc[t][j] = gc[t][j] * f;
      //? Does c reach h'?
      //= dL/dc = f g_c, without what comes by way of h'
    }
  }
  // end
}
