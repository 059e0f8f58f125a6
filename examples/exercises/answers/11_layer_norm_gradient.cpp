// Exercise 11, layer-norm-gradient: each row centred and scaled, and what comes back.           docs/ch04.md#norm-layer
//
//   y = x̂ ⊙ gain + bias      x̂ = (x − μ) / r      r = √(σ² + eps)
//
// μ is the mean of a row of n numbers, σ² the mean of (x − μ)² over it. x, y and their gradients are [rows, n], gain and bias
// [1, n]. Write both functions without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Layer norm, and its gradient by hand
//! minutes: 40
//! needs: rms-norm
//! done: μ and r are made of the row that they normalise: one term for each, and the same two terms in batch, group and instance norm.
#include "examples/exercises/rows.h"

void layer_norm(In x, In gain, In bias, double eps, Out y) {
  // blank: y from x
  //! Two things can be done to a whole row without changing y. Which?
  //! Three passes over a row: μ first, then σ² about it, then y.
  //! σ² is the mean of (x − μ)². Far from 0 the difference of two large means has no digit of it.
  //! y = (x − μ) / √(σ² + ε) ⊙ gain + bias.
  const int n = x.columns;
  //+ double mean_before = 0, variance_before = 0;
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0;
    //~ 19 norm/sum-kept: double mean = mean_before, variance = variance_before;
    //? What is left in your sums when the second row begins?
    //~ 20 norm/sum-kept: double mean = 0, variance = variance_before;
    //? What is left in the sum of squares when the second row begins?
    for (int j = 0; j < n; ++j) mean += x[i][j] / n;
    //~ 7 norm/all-axes:
    //| for (int k = 0; k < x.rows; ++k) {
    //|   for (int j = 0; j < n; ++j) mean += x[k][j] / (x.rows * n);
    //| }
    //? Does your mean differ from row to row?
    //~ 17 norm/rms-for-layer-norm:
    //? What is your μ of a row of fives? (And what is 1 / n of whole numbers?)
    //= μ is 0: this is RMSNorm
    //~ 21 norm/mean-so-far:
    //? Is μ complete when you subtract it from the first number?
    //= the squares are of x minus the mean so far
    //~ 27 norm/mean-not-divided: for (int j = 0; j < n; ++j) mean += x[i][j];
    //? What is μ of a row of fives, and yours?
    //= μ is the sum, not the mean
    for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / n;
    //~ 1 norm/unbiased-std-eps-outside: for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / (n - 1);
    //? Which number divides the squares, and where does ε stand?
    //~ 2 norm/variance-unbiased: for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / (n - 1);
    //? Which number divides the sum of squares?
    //= the variance divided by n − 1
    //~ also norm/all-axes:
    //| for (int k = 0; k < x.rows; ++k) {
    //|   for (int j = 0; j < n; ++j) variance += (x[k][j] - mean) * (x[k][j] - mean) / (x.rows * n);
    //| }
    //~ 9 norm/squares-about-zero: for (int j = 0; j < n; ++j) variance += x[i][j] * x[i][j] / n;
    //? How far from what are the squares measured?
    //= the mean of x² in place of the variance
    //~ 15 norm/variance-by-squares:
    //| for (int j = 0; j < n; ++j) variance += x[i][j] * x[i][j] / n;
    //| variance -= mean * mean;
    //? Near 10⁸ x² is about 10¹⁶, and σ² about 1: how many of 16 digits are left in E[x²] − μ²?
    //= σ² as E[x²] − μ², of which no digit is left far from 0
    //@ tt-metal#45968, burn#5607, pytorch#40302, mlx#2238, onnxruntime#21935
    //~ 18 norm/whole-division: for (int j = 0; j < n; ++j) variance += 1 / n * (x[i][j] - mean) * (x[i][j] - mean);
    //? What is 1 / 3 in C++, if both are whole numbers?
    //~ also norm/mean-so-far:
    //| for (int j = 0; j < n; ++j) {
    //|   mean += x[i][j] / n;
    //|   variance += (x[i][j] - mean) * (x[i][j] - mean) / n;
    //| }
    //~ 24 norm/mean-deviation: for (int j = 0; j < n; ++j) variance += std::abs(x[i][j] - mean) / n;
    //? For the row 0, 0, 3: what is √(mean of (x − μ)²), and what do you divide by?
    //= the mean of |x − μ| in place of σ
    //~ 25 norm/mean-deviation: for (int j = 0; j < n; ++j) variance += std::abs(x[i][j] - mean) / n;
    //~ 26 norm/variance-not-divided: for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean);
    //? For the row 1, −1, 1, −1: what is σ², and yours?
    //= σ² is the sum of the squares, not their mean
    //+ mean_before = mean, variance_before = variance;
    const double r = std::sqrt(variance + eps);
    //~ also norm/unbiased-std-eps-outside: const double r = std::sqrt(variance) + eps;
    //~ 3 norm/eps-beside-deviation: const double r = std::sqrt(variance) + eps;
    //? Where does ε stand: below the root, or beside it?
    //= divided by σ + ε, not by √(σ² + ε)
    //~ 4 norm/eps-missing: const double r = std::sqrt(variance);
    //? What is y for a row whose numbers are all the same?
    //~ 5 norm/eps-hard-coded: const double r = std::sqrt(variance + 1e-6);
    //? What happens when somebody asks for another ε?
    //~ 10 norm/divided-by-variance: const double r = variance + eps;
    //? Twice as large an x: how does your y change?
    //= divided by σ² + ε, not by its root
    //~ 16 norm/squared-for-root: const double r = (variance + eps) * (variance + eps);
    //? All of x − μ twice as large: y stays. What does yours do?
    //= squared where the root is meant
    //@ TPlinker#37
    //~ also 24 norm/mean-deviation: const double r = variance + eps;
    //~ 29 norm/eps-as-floor: const double r = std::sqrt(std::max(variance, eps));
    //? σ² is 1 and ε is 1: what stands below the root?
    //~ 30 norm/eps-squared: const double r = std::sqrt(variance + eps * eps);
    //? A row of fives: what stands below the root?
    for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * gain[0][j] + bias[0][j];
    //~ 6 norm/sequence-axis:
    //| for (int j = 0; j < n; ++j) {
    //|   double down = 0, squares = 0;
    //|   for (int k = 0; k < x.rows; ++k) down += x[k][j] / x.rows;
    //|   for (int k = 0; k < x.rows; ++k) squares += (x[k][j] - down) * (x[k][j] - down) / x.rows;
    //|   y[i][j] = (x[i][j] - down) / std::sqrt(squares + eps) * gain[0][j] + bias[0][j];
    //| }
    //? Over which axis are the mean and the variance taken?
    //~ 8 norm/not-centred: for (int j = 0; j < n; ++j) y[i][j] = x[i][j] / r * gain[0][j] + bias[0][j];
    //? What becomes of a row whose numbers are all larger by 100?
    //= the mean is used in the variance, and not subtracted from x
    //~ 11 norm/gain-missing: for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r + bias[0][j];
    //? The gain doubled: what should y − bias do, and what does yours?
    //~ 12 (convention) norm/gain-plus-one: for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * (1 + gain[0][j]) + bias[0][j];
    //~ 13 norm/bias-missing: for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * gain[0][j];
    //? What is y where x̂ is 0?
    //= no bias
    //~ 14 norm/bias-scaled: for (int j = 0; j < n; ++j) y[i][j] = ((x[i][j] - mean) / r + bias[0][j]) * gain[0][j];
    //? Which comes first: times the gain, or plus the bias?
    //= the bias is added before the gain multiplies
    //~ 22 norm/precedence: for (int j = 0; j < n; ++j) y[i][j] = x[i][j] - mean / r * gain[0][j] + bias[0][j];
    //? In x − μ / r, what is divided by r?
    //= x − μ / r: the brackets around x − μ are missing
    //~ 23 norm/bias-in-bracket: for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * (gain[0][j] + bias[0][j]);
    //? What does the bias multiply?
    //= x̂ (gain + bias)
    //~ 28 norm/gain-and-bias-exchanged: for (int j = 0; j < n; ++j) y[i][j] = (x[i][j] - mean) / r * bias[0][j] + gain[0][j];
    //? What is y where x̂ is 0?
    //= the gain is added, and the bias multiplies
  }
  // end
}

// From g = dL/dy to dL/dx, dL/dgain and dL/dbias.
void layer_norm_gradient(In g, In x, In gain, double eps, Out dx, Out dgain, Out dbias) {
  // blank: two means over the row for dx, sums over the rows for dgain and dbias
  //! All of x larger by 1, or all of x − μ twice as large: y stays. What do both say of dx?
  //! Two means over the row first, one for μ and one for r; then dx. dgain and dbias are sums over the rows, begun with 0 before the first.
  //! dx has no part along a row of ones and, but for ε, none along x̂: both are taken out of ĝ before the division by r.
  //! With ĝ = g ⊙ gain: dx = (ĝ − mean(ĝ) − x̂ ⊙ mean(ĝ ⊙ x̂)) / r. dgain is the sum over the rows of g ⊙ x̂, dbias that of g.
  const int n = x.columns;
  //+ double mean_before = 0, variance_before = 0, mean_g_before = 0, mean_gx_before = 0;
  for (int j = 0; j < n; ++j) dgain[0][j] = dbias[0][j] = 0;
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0, mean_g = 0, mean_gx = 0;
    //~ 31 norm/sum-kept: double mean = 0, variance = 0, mean_g = mean_g_before, mean_gx = mean_gx_before;
    //? What is left in your two sums when the second row begins?
    //~ 32 norm/sum-kept: double mean = mean_before, variance = variance_before, mean_g = mean_g_before, mean_gx = mean_gx_before;
    //? What is left in your sums when the second row begins?
    for (int j = 0; j < n; ++j) mean += x[i][j] / n;
    for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / n;
    //~ 6 norm/variance-unbiased: for (int j = 0; j < n; ++j) variance += (x[i][j] - mean) * (x[i][j] - mean) / (n - 1);
    //~ 37 norm/variance-by-squares:
    //| variance = -mean * mean;
    //| for (int j = 0; j < n; ++j) variance += x[i][j] * x[i][j] / n;
    //~ 38 norm/whole-division: for (int j = 0; j < n; ++j) variance += 1 / n * (x[i][j] - mean) * (x[i][j] - mean);
    const double r = std::sqrt(variance + eps);
    //~ 7 norm/eps-beside-deviation: const double r = std::sqrt(variance) + eps;
    //~ 8 norm/eps-missing: const double r = std::sqrt(variance);
    //? By what is y divided, and is it what dx is divided by?
    for (int j = 0; j < n; ++j) {
      const double arriving = g[i][j] * gain[0][j], normalized = (x[i][j] - mean) / r;
      //~ 14 norm/means-without-gain: const double arriving = g[i][j], normalized = (x[i][j] - mean) / r;
      //? What arrives at x̂: g, or g ⊙ gain?
      //= both means are of g, where ĝ = g ⊙ gain is meant
      //~ 15 norm/gradient-gain-nowhere: const double arriving = g[i][j], normalized = (x[i][j] - mean) / r;
      //? What arrives at x̂: g, or g ⊙ gain?
      //= dx is made of g, where ĝ = g ⊙ gain is meant
      //~ 25 norm/gradient-gain-last: const double arriving = g[i][j], normalized = (x[i][j] - mean) / r;
      //? Does the gain come before the norm, or after it? Which gradient arrives at x̂?
      //~ 29 (convention) norm/gain-plus-one: const double arriving = g[i][j] * (1 + gain[0][j]), normalized = (x[i][j] - mean) / r;
      mean_g += arriving / n;
      //~ 4 norm/gradient-sums: mean_g += arriving;
      //? μ is a mean. Where is its 1/n in the gradient?
      //= both terms are with sums over the row, where means are meant
      //~ 23 norm/gradient-mean-without-gain: mean_g += g[i][j] / n;
      //? What arrives at x̂: g, or g ⊙ gain? In how many of your terms?
      //= the mean that is subtracted is of g, where ĝ = g ⊙ gain is meant
      mean_gx += arriving * normalized / n;
      //~ also norm/gradient-sums: mean_gx += arriving * normalized;
      //~ 5 norm/gradient-projection-sum: mean_gx += arriving * normalized;
      //? σ² is a mean. Where is its 1/n in the gradient?
      //= the term with x̂ lacks 1/n
      //~ 24 norm/gradient-projection-without-gain: mean_gx += g[i][j] * normalized / n;
      //? What arrives at x̂: g, or g ⊙ gain? In how many of your terms?
      //= the mean with x̂ is of g, where ĝ = g ⊙ gain is meant
      dgain[0][j] += g[i][j] * normalized;
      //~ 16 norm/dgain-of-centred: dgain[0][j] += g[i][j] * (x[i][j] - mean);
      //? What does the gain multiply: x − μ, or x̂?
      //= dgain = Σ g ⊙ (x − μ), not over r
      //~ 17 norm/dgain-of-input: dgain[0][j] += g[i][j] * x[i][j];
      //? What does the gain multiply: x, or x̂?
      //= dgain = Σ g ⊙ x, where x̂ is meant
      //~ 19 norm/gradients-of-one-row: dgain[0][j] = g[i][j] * normalized;
      //? How many rows use one gain and one bias?
      //= dgain and dbias of the last row alone
      //~ 20 norm/dgain-of-one-row: dgain[0][j] = g[i][j] * normalized;
      //? How many rows use one gain?
      //~ 21 op/mean-for-sum: dgain[0][j] += g[i][j] * normalized / x.rows;
      //? Do gradients of several uses add up, or average?
      //= gradients of several uses are averaged
      //~ 26 norm/dgain-with-gain: dgain[0][j] += g[i][j] * normalized * gain[0][j];
      //? What does the gain multiply: x̂, or y?
      //~ 35 norm/dgain-not-centred: dgain[0][j] += g[i][j] * x[i][j] / r;
      //? What does the gain multiply: x / r, or x̂?
      //= dgain = Σ g ⊙ x / r, where x̂ is meant
      //~ 36 norm/gain-and-bias-exchanged: dgain[0][j] += g[i][j];
      //? Which of the two gradients is made of x̂?
      dbias[0][j] += g[i][j];
      //~ 18 norm/dbias-with-gain: dbias[0][j] += g[i][j] * gain[0][j];
      //? Does the gain multiply the bias?
      //= dbias = Σ g ⊙ gain
      //~ also norm/gradients-of-one-row: dbias[0][j] = g[i][j];
      //~ also op/mean-for-sum: dbias[0][j] += g[i][j] / x.rows;
      //~ 30 norm/dbias-of-one-row: dbias[0][j] = g[i][j];
      //? How many rows use one bias?
      //= dbias of the last row alone
      //~ also norm/gain-and-bias-exchanged: dbias[0][j] += g[i][j] * normalized;
    }
    //+ mean_before = mean, variance_before = variance, mean_g_before = mean_g, mean_gx_before = mean_gx;
    for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * mean_gx) / r;
    //~ 1 norm/statistics-held-constant: for (int j = 0; j < n; ++j) dx[i][j] = g[i][j] * gain[0][j] / r;
    //? μ and r are made of x, too. What comes back through them?
    //= dx = ĝ / r: nothing comes back through μ and r
    //~ 2 norm/gradient-mean-missing: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - (x[i][j] - mean) / r * mean_gx) / r;
    //? All x larger by 1: what does y do? What must the sum of dx be, then?
    //= mean(ĝ) is not subtracted: nothing comes back through μ
    //~ 3 norm/gradient-projection-missing: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g) / r;
    //? All of x − μ twice as large: what does y do?
    //= the term with x̂ is missing: nothing comes back through r
    //~ 9 norm/gradient-over-r-squared: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) * mean_gx) / r;
    //? With x − μ written out: how many r stand below the last term?
    //= the term with (x − μ) Σ ĝ (x − μ) is over r², not r³
    //~ 10 norm/gradient-over-r: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) * r * mean_gx) / r;
    //? With x − μ written out: how many r stand below the last term?
    //= the term with (x − μ) Σ ĝ (x − μ) is over r, not r³
    //~ 11 norm/gradient-r-missing: for (int j = 0; j < n; ++j) dx[i][j] = g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * mean_gx;
    //? x twice as large: y stays. What does dx do?
    //= dx is not divided by r
    //~ 12 norm/gradient-projection-sign: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g + (x[i][j] - mean) / r * mean_gx) / r;
    //? A larger x_j makes r larger. Does y_j then grow, or shrink?
    //= the term with x̂ has the other sign
    //~ 13 norm/gradient-along-x: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - x[i][j] / r * mean_gx) / r;
    //? All x larger by 100: does your dx change?
    //= the last term has x / r, where x̂ is meant
    //~ also norm/gradient-gain-nowhere: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] - mean_g - (x[i][j] - mean) / r * mean_gx) / r;
    //~ 22 norm/gradient-gain-in-means-alone: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] - mean_g - (x[i][j] - mean) / r * mean_gx) / r;
    //? What arrives at x̂: g, or g ⊙ gain? In how many of your terms?
    //= the first term of dx is of g, where ĝ = g ⊙ gain is meant
    //~ also norm/gradient-gain-last: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] - mean_g - (x[i][j] - mean) / r * mean_gx) / r * gain[0][j];
    //~ 27 norm/gradient-doubled: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * mean_gx * 2) / r;
    //? The slope of (x − μ)² is 2 (x − μ), that of √s is 1 / (2 √s). What is left of the 2?
    //~ 28 norm/gradient-halved: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * mean_gx / 2) / r;
    //? The slope of (x − μ)² is 2 (x − μ), that of √s is 1 / (2 √s). What is left of the ½?
    //~ also norm/gain-plus-one: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * (1 + gain[0][j]) - mean_g - (x[i][j] - mean) / r * mean_gx) / r;
    //~ 33 norm/gradient-along-y: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - (x[i][j] - mean) / r * gain[0][j] * mean_gx) / r;
    //? Which vector is taken away: x̂, or x̂ ⊙ gain?
    //~ norm/gradient-projection-plain: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] - mean_g - mean_gx) / r;
    //? Along which vector does the second mean go back: a row of ones, or x̂?
    //= the last term lacks x̂
    //~ 34 norm/gradient-mean-sign: for (int j = 0; j < n; ++j) dx[i][j] = (g[i][j] * gain[0][j] + mean_g - (x[i][j] - mean) / r * mean_gx) / r;
    //? All x larger by 1: y stays. To what must a row of dx sum?
    //= mean(ĝ) is added, not subtracted
  }
  // end
}
