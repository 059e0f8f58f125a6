// Exercise 7, cross-entropy: what a prediction costs, and which way the scores should go.  docs/ch11-losses.md#loss-cross-entropy
//
//   loss of a row = Σ_j q_j (log Z - z_j)      Z = Σ_k e^(z_k)
//   q_j = (1 - smoothing) [j = target] + smoothing / V: what should come, spread a little
//
// z is [rows, V], a finite score for each of V classes, of any size. A row whose target is -1 is padding: it is not counted.
// See also docs/ch11-losses.md#loss-kl, docs/ch11-losses.md#loss-label-smoothing.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

// The mean loss of the rows that count; there is at least one.
double cross_entropy(In z, const int* target, double smoothing) {
  // blank: log Z without an overflow, and the mean
  double sum = 0;
  int count = 0;
  for (int i = 0; i < z.rows; ++i) {
    if (target[i] < 0) continue;
    const double greatest = *std::max_element(z[i], z[i] + z.columns);
    double total = 0;
    for (int j = 0; j < z.columns; ++j) total += std::exp(z[i][j] - greatest);
    for (int j = 0; j < z.columns; ++j) {
      const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / z.columns;
      sum += q * (greatest + std::log(total) - z[i][j]);
    }
    ++count;
  }
  return sum / count;
  // end
}

// From g = dL/dloss, a number, to dL/dz. Padding gets 0.
void cross_entropy_gradient(double g, In z, const int* target, double smoothing, Out dz) {
  // blank: what the model says minus what should come
  const auto count = std::count_if(target, target + z.rows, [](int t) { return t >= 0; });
  for (int i = 0; i < z.rows; ++i) {
    const double greatest = *std::max_element(z[i], z[i] + z.columns);
    double total = 0;
    for (int j = 0; j < z.columns; ++j) total += std::exp(z[i][j] - greatest);
    for (int j = 0; j < z.columns; ++j) {
      const double p = std::exp(z[i][j] - greatest) / total;
      const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / z.columns;
      dz[i][j] = target[i] < 0 ? 0 : g * (p - q) / static_cast<double>(count);
    }
  }
  // end
}

// KL(p ‖ q) = Σ_j p_j (log p_j - log q_j), the mean over the rows: how far a model's q is from a target p. Given are the
// logarithms, [rows, V]. What has p = 0, so log p = -∞, adds 0; what has q = 0 and a p above it makes it ∞.
double kl_divergence(In log_p, In log_q) {
  // blank: one sum over everything, divided once
  double sum = 0;
  for (int i = 0; i < log_p.rows; ++i) {
    for (int j = 0; j < log_p.columns; ++j) {
      const double p = std::exp(log_p[i][j]);
      if (p > 0) sum += p * (log_p[i][j] - log_q[i][j]);
    }
  }
  return sum / log_p.rows;
  // end
}

// e^(the mean loss of all tokens) of a text that was read in parts: sum[0][k] is the sum of the losses of part k, in nats, and
// count[0][k] the number of its tokens. A part may be empty.
double perplexity(In sum, In count) {
  // blank: which mean is it?
  double losses = 0, tokens = 0;
  for (int k = 0; k < sum.columns; ++k) {
    losses += sum[0][k];
    tokens += count[0][k];
  }
  return std::exp(losses / tokens);
  // end
}
