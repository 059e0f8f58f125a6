// Exercise 12, batch-norm-running: batch norm in training, what it collects, and eval.      docs/ch04-batch.md#norm-batch
//
//   in training   y = (x − μ) / √(σ² + eps) ⊙ gain + bias      μ, σ²: of each channel, over the samples
//                 running ← (1 − momentum) · running + momentum · that of the batch
//   in eval       y = (x − mean) / √(variance + eps) ⊙ gain + bias      by the running values
//
// x and y are [samples, channels], all others [1, channels]. The batch is divided by the biased variance, the mean of (x − μ)²;
// collected is the unbiased one, with n − 1 in place of n. `mean` and `variance` are changed in place in training.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Batch norm, and what it collects for later
//! minutes: 30
//! needs: layer-norm-gradient
//! done: Two variances in one layer, and each has its reason: y is to have variance 1, and the estimate is to be right on average.
#include "examples/exercises/rows.h"

void batch_norm(In x, In gain, In bias, double eps, double momentum, Out mean, Out variance, Out y) {
  // blank: y, and the running mean and variance after this batch
  //! Eval will see a sample that comes alone. What must training keep for it?
  //! A loop over channels, and in it loops over samples. Two variances are made of the sum of squares, one for now and one for later.
  //! y knows its own batch alone. The running values follow slowly, and are not used in training.
  //! Now: the sum of squares over n. For later: over n − 1, and running ← (1 − momentum) running + momentum batch, for the mean as well.
  const int n = x.rows;
  //+ double sum_before = 0, squares_before = 0;
  for (int c = 0; c < x.columns; ++c) {
    double sum = 0, squares = 0;
    //~ 21 norm/sum-kept: double sum = sum_before, squares = squares_before;
    //? What is left in your sums when the second channel begins?
    //~ 22 norm/sum-kept: double sum = 0, squares = squares_before;
    //? What is left in the sum of squares when the second channel begins?
    for (int i = 0; i < n; ++i) sum += x[i][c];
    //~ 15 norm/one-for-all-channels:
    //| for (int i = 0; i < n; ++i) {
    //|   for (int k = 0; k < x.columns; ++k) sum += x[i][k];
    //| }
    //? Do the channels share a mean?
    //= one mean and one variance for all channels
    const double batch_mean = sum / n;
    //~ also norm/one-for-all-channels: const double batch_mean = sum / (n * x.columns);
    //~ 27 norm/whole-division: const double batch_mean = 1 / n * sum;
    //? What is 1 / 3 in C++, if both are whole numbers?
    for (int i = 0; i < n; ++i) squares += (x[i][c] - batch_mean) * (x[i][c] - batch_mean);
    //~ also norm/one-for-all-channels:
    //| for (int i = 0; i < n; ++i) {
    //|   for (int k = 0; k < x.columns; ++k) squares += (x[i][k] - batch_mean) * (x[i][k] - batch_mean);
    //| }
    //~ 9 norm/trains-by-running:
    //| for (int i = 0; i < n; ++i) squares += (x[i][c] - batch_mean) * (x[i][c] - batch_mean);
    //| mean[0][c] = (1 - momentum) * mean[0][c] + momentum * batch_mean;
    //| variance[0][c] = (1 - momentum) * variance[0][c] + momentum * squares / (n - 1);
    //? Does y of this batch depend on the batches before?
    //= the batch is normalised by the running values
    //~ 26 norm/trains-by-running-mean:
    //| for (int i = 0; i < n; ++i) squares += (x[i][c] - batch_mean) * (x[i][c] - batch_mean);
    //| mean[0][c] = (1 - momentum) * mean[0][c] + momentum * batch_mean;
    //? Which mean belongs to the variance of the batch?
    //= the mean is the running one, the variance that of the batch
    //~ 14 norm/variance-about-running: for (int i = 0; i < n; ++i) squares += (x[i][c] - mean[0][c]) * (x[i][c] - mean[0][c]);
    //? How far from what are the squares measured?
    //= the variance is measured from the running mean
    //~ 32 norm/variance-by-squares:
    //| for (int i = 0; i < n; ++i) squares += x[i][c] * x[i][c];
    //| squares -= n * batch_mean * batch_mean;
    //? Near 10⁸ x² is about 10¹⁶, and σ² about 1: how many of 16 digits are left in E[x²] − μ²?
    //+ sum_before = sum, squares_before = squares;
    const double r = std::sqrt(squares / n + eps);
    //~ 2 norm/divides-by-unbiased: const double r = std::sqrt(squares / (n - 1) + eps);
    //? Which variance should y have: exactly 1, or a little less?
    //= the batch itself is divided by the unbiased deviation
    //~ also norm/trains-by-running: const double r = std::sqrt(variance[0][c] + eps);
    //~ 10 norm/trains-by-older-running: const double r = std::sqrt(variance[0][c] + eps);
    //? Does y of this batch depend on the batches before?
    //= the batch is normalised by the running values from before it
    //~ also norm/one-for-all-channels: const double r = std::sqrt(squares / (n * x.columns) + eps);
    //~ 16 norm/eps-beside-deviation: const double r = std::sqrt(squares / n) + eps;
    //? Where does ε stand: below the root, or beside it?
    //~ 17 norm/eps-missing: const double r = std::sqrt(squares / n);
    //? What is y for a channel whose numbers are all the same?
    //~ 28 norm/variance-not-divided: const double r = std::sqrt(squares + eps);
    //? For the samples 1, −1, 1, −1: what is σ², and yours?
    //~ 29 norm/divided-by-variance: const double r = squares / n + eps;
    //? Twice as large an x: how does your y change?
    for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean) / r * gain[0][c] + bias[0][c];
    //~ also norm/trains-by-running: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - mean[0][c]) / r * gain[0][c] + bias[0][c];
    //~ also norm/trains-by-older-running: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - mean[0][c]) / r * gain[0][c] + bias[0][c];
    //~ also norm/trains-by-running-mean: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - mean[0][c]) / r * gain[0][c] + bias[0][c];
    //~ 18 norm/gain-missing: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean) / r + bias[0][c];
    //? The gain doubled: what should y − bias do, and what does yours?
    //~ 19 norm/bias-missing: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean) / r * gain[0][c];
    //? What is y where x is the mean?
    //~ 20 (convention) norm/gain-plus-one: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean) / r * (1 + gain[0][c]) + bias[0][c];
    //~ 23 norm/layer-norm-for-batch:
    //| for (int i = 0; i < n; ++i) {
    //|   double along = 0, about = 0;
    //|   for (int k = 0; k < x.columns; ++k) along += x[i][k] / x.columns;
    //|   for (int k = 0; k < x.columns; ++k) about += (x[i][k] - along) * (x[i][k] - along);
    //|   y[i][c] = (x[i][c] - along) / std::sqrt(about / x.columns + eps) * gain[0][c] + bias[0][c];
    //| }
    //? Over what are μ and σ² taken: the samples, or the channels?
    //= y is that of layer norm: each sample by itself
    //~ 30 norm/precedence: for (int i = 0; i < n; ++i) y[i][c] = (x[i][c] - batch_mean / r) * gain[0][c] + bias[0][c];
    //? In x − μ / r, what is divided by r?
    //~ 31 norm/bias-scaled: for (int i = 0; i < n; ++i) y[i][c] = ((x[i][c] - batch_mean) / r + bias[0][c]) * gain[0][c];
    //? Which comes first: times the gain, or plus the bias?
    mean[0][c] = (1 - momentum) * mean[0][c] + momentum * batch_mean;
    //~ 3 norm/running-never-updated:
    //? What will eval use?
    //= the running values stay as they were
    //@ aprender PR2166
    //~ 4 norm/running-mean-stays:
    //? How many running values are there?
    //= the running variance moves, the running mean does not
    //~ 6 (convention) norm/momentum-of-old: mean[0][c] = momentum * mean[0][c] + (1 - momentum) * batch_mean;
    //= momentum is the share of the old value (the task asks for the share of the new one)
    //@ affinelayer/pix2pix-tensorflow#126, Keras
    //~ 7 norm/running-replaced: mean[0][c] = batch_mean;
    //? After a hundred batches: how many of them does the running mean know?
    //= the running values are those of the last batch
    //~ 8 norm/running-added-up: mean[0][c] = mean[0][c] + momentum * batch_mean;
    //? If every batch has the mean 5: where does your running mean go?
    //= momentum times the new value is added, and nothing of the old one is taken away
    //~ also norm/trains-by-running:
    //~ also norm/trains-by-running-mean:
    //~ 24 norm/running-old-lost: mean[0][c] = momentum * batch_mean;
    //? If every batch has the mean 5: where does your running mean go?
    //= what was there is replaced by momentum times the new value
    //~ 25 norm/running-moved-away: mean[0][c] = mean[0][c] + momentum * (mean[0][c] - batch_mean);
    //? If every batch has the mean 5: where does your running mean go?
    //= the running values move away from those of the batch
    variance[0][c] = (1 - momentum) * variance[0][c] + momentum * squares / (n - 1);
    //~ 1 norm/running-var-biased: variance[0][c] = (1 - momentum) * variance[0][c] + momentum * squares / n;
    //? Two variances in one layer: which of them is an estimate for samples not yet seen?
    //~ also norm/running-never-updated:
    //~ 5 norm/running-variance-stays:
    //? How many running values are there?
    //= the running mean moves, the running variance does not
    //~ also norm/momentum-of-old: variance[0][c] = momentum * variance[0][c] + (1 - momentum) * squares / (n - 1);
    //~ also norm/running-replaced: variance[0][c] = squares / (n - 1);
    //~ also norm/running-added-up: variance[0][c] = variance[0][c] + momentum * squares / (n - 1);
    //~ also norm/trains-by-running:
    //~ 11 norm/running-deviation: variance[0][c] = (1 - momentum) * variance[0][c] + momentum * std::sqrt(squares / (n - 1));
    //? Variance or deviation: what is averaged?
    //= the deviation is collected, not the variance
    //~ 12 norm/running-with-eps: variance[0][c] = (1 - momentum) * variance[0][c] + momentum * (squares / (n - 1) + eps);
    //? Where will ε be added in eval?
    //= ε is collected with the variance, and added again in eval
    //~ 13 norm/running-with-eps: variance[0][c] = (1 - momentum) * variance[0][c] + momentum * (squares + n * eps) / (n - 1);
    //~ also norm/one-for-all-channels: variance[0][c] = (1 - momentum) * variance[0][c] + momentum * squares / (n * x.columns - 1);
    //~ also norm/running-old-lost: variance[0][c] = momentum * squares / (n - 1);
    //~ also norm/running-moved-away: variance[0][c] = variance[0][c] + momentum * (variance[0][c] - squares / (n - 1));
  }
  // end
}

void batch_norm_in_eval(In x, In mean, In variance, In gain, In bias, double eps, Out y) {
  // blank: y by the running values
  //! A sample that comes alone has no variance. What is it to be normalised by?
  //! No sum is needed: one loop over samples, one over channels.
  //! In eval y knows the running values alone, so it is a straight line of x in each channel.
  //! Both running values stand where those of the batch stood; they are used as they are.
  for (int i = 0; i < x.rows; ++i) {
    for (int c = 0; c < x.columns; ++c) {
      //+ double batch_mean = 0, batch_variance = 0;
      //+ for (int k = 0; k < x.rows; ++k) batch_mean += x[k][c] / x.rows;
      //+ for (int k = 0; k < x.rows; ++k) batch_variance += (x[k][c] - batch_mean) * (x[k][c] - batch_mean) / x.rows;
      y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //~ 1 norm/batch-in-eval: y[i][c] = (x[i][c] - batch_mean) / std::sqrt(batch_variance + eps) * gain[0][c] + bias[0][c];
      //? What is y of a sample that comes alone?
      //= eval normalises by the batch's own mean and variance
      //~ 2 norm/batch-mean-in-eval: y[i][c] = (x[i][c] - batch_mean) / std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? Which mean belongs to the running variance?
      //= the mean is the batch's, the variance the running one
      //~ 3 norm/eval-not-centred: y[i][c] = x[i][c] / std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? What is y where x is the running mean?
      //= the running mean is not subtracted
      //~ 4 norm/corrected-again: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] * x.rows / (x.rows - 1) + eps) * gain[0][c] + bias[0][c];
      //? Has the running variance been corrected already?
      //= the running variance is multiplied by n / (n − 1) once more
      //~ 5 norm/divided-by-variance: y[i][c] = (x[i][c] - mean[0][c]) / (variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? Twice as large an x, and a running variance to match: how does your y change?
      //~ 6 norm/eps-beside-deviation: y[i][c] = (x[i][c] - mean[0][c]) / (std::sqrt(variance[0][c]) + eps) * gain[0][c] + bias[0][c];
      //~ 7 norm/eps-missing: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c]) * gain[0][c] + bias[0][c];
      //? What is y where the running variance is 0?
      //~ 8 norm/eps-hard-coded: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + 1e-6) * gain[0][c] + bias[0][c];
      //? What happens when somebody asks for another ε?
      //~ 9 norm/gain-missing: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) + bias[0][c];
      //~ 10 (convention) norm/gain-plus-one: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) * (1 + gain[0][c]) + bias[0][c];
      //~ 11 norm/bias-missing: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) * gain[0][c];
      //~ 12 norm/bias-scaled: y[i][c] = ((x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) + bias[0][c]) * gain[0][c];
      //~ 13 norm/gain-and-bias-exchanged: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] + eps) * bias[0][c] + gain[0][c];
      //? What is y where x is the running mean?
      //~ 14 norm/variance-for-mean: y[i][c] = (x[i][c] - variance[0][c]) / std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? What is y where x is the running mean?
      //= the running variance is subtracted, where the mean is meant
      //~ 15 norm/r-multiplied: y[i][c] = (x[i][c] - mean[0][c]) * std::sqrt(variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? Twice as large an x, and running values to match: what becomes of y?
      //~ 16 norm/precedence: y[i][c] = (x[i][c] - mean[0][c] / std::sqrt(variance[0][c] + eps)) * gain[0][c] + bias[0][c];
      //? In x − mean / r, what is divided by r?
      //~ 17 norm/first-channel: y[i][c] = (x[i][c] - mean[0][0]) / std::sqrt(variance[0][0] + eps) * gain[0][c] + bias[0][c];
      //? Which running values belong to channel c?
      //= the running values of channel 0 for all channels
      //~ 18 norm/variance-squared: y[i][c] = (x[i][c] - mean[0][c]) / std::sqrt(variance[0][c] * variance[0][c] + eps) * gain[0][c] + bias[0][c];
      //? Is the running variance to be squared once more?
      //= the variance is squared below the root
      //~ 19 norm/squared-for-root: y[i][c] = (x[i][c] - mean[0][c]) / std::pow(variance[0][c] + eps, 2) * gain[0][c] + bias[0][c];
      //? Twice as large an x, and running values to match: y stays. What does yours do?
    }
  }
  // end
}
