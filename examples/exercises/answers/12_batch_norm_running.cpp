// Exercise 12, batch-norm-running: batch norm in training, what it collects, and eval.      docs/ch04-batch.md#norm-batch
//
//   in training   y = (x − μ) / √(σ² + eps) ⊙ gain + bias      μ, σ²: of each channel, over the samples
//                 running ← (1 − momentum) · running + momentum · that of the batch
//   in eval       y = (x − mean) / √(variance + eps) ⊙ gain + bias      by the running values
//
// x and y are [samples, channels], all others [1, channels]. The batch is divided by the biased variance, the mean of (x − μ)²;
// collected is the unbiased one, with n − 1 in place of n. `mean` and `variance` are changed in place in training.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

void batch_norm(In x, In gain, In bias, double eps, double momentum, Out mean, Out variance, Out y) {
  // blank: y, and the running mean and variance after this batch
  const int n = x.rows;
  for (int c = 0; c < x.columns; ++c) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) sum += x[i][c];
    const double batch_mean = sum / n;
    for (int i = 0; i < n; ++i) squares += (x[i][c] - batch_mean) * (x[i][c] - batch_mean);
    const double r = std::sqrt(squares / n + eps);
    for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean) / r * gain[0][c] + bias[0][c];
    mean[0][c] = (1 - momentum) * mean[0][c] + momentum * batch_mean;
    variance[0][c] = (1 - momentum) * variance[0][c] + momentum * squares / (n - 1);
  }
  // end
}

void batch_norm_in_eval(In x, In mean, In variance, In gain, In bias, double eps, Out y) {
  // blank: y by the running values
  for (int i = 0; i < x.rows; ++i) {
    for (int c = 0; c < x.columns; ++c) {
      y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
    }
  }
  // end
}
