// Exercise 16, attention: each query's mean of the values, weighted by how well it fits the keys.   docs/ch07.md#attn-scaled-dot
//
//   z_ij = q_i · k_j / √d      P_ij = exp z_ij / Σ_j exp z_ij      y_i = Σ_j P_ij v_j      with j = 0 … i in both sums
//
// q and k are [T, d], v and y [T, e]. A query sees the key at its own place and those before it, and no later one.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
// See also docs/ch07.md#attn-causal-mask, docs/ch07.md#attn-sliding-window, docs/ch07.md#attn-softcap,
//   docs/ch07.md#attn-multi-head.
#include <vector>

#include "examples/exercises/rows.h"

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

void attention(In q, In k, In v, Out y) {
  // blank: scores, weights, mean. Scores may be 1000 and more: exp(1000) is ∞
  std::vector<double> weight(k.rows);
  for (int i = 0; i < q.rows; ++i) {
    double greatest = -INFINITY, sum = 0;
    for (int j = 0; j <= i; ++j) {
      weight[j] = dot(q[i], k[j], q.columns) / std::sqrt(q.columns);
      greatest = std::max(greatest, weight[j]);
    }
    for (int j = 0; j <= i; ++j) sum += weight[j] = std::exp(weight[j] - greatest);
    for (int c = 0; c < v.columns; ++c) {
      y[i][c] = 0;
      for (int j = 0; j <= i; ++j) y[i][c] += weight[j] / sum * v[j][c];
    }
  }
  // end
}

// A query sees `window` keys, its own and the last ones before it (fewer at the beginning), and its scores are
// cap · tanh(z / cap).
void attention_in_window(In q, In k, In v, int window, double cap, Out y) {
  // blank: as above; what changes, and where?
  std::vector<double> weight(k.rows);
  for (int i = 0; i < q.rows; ++i) {
    const int first = std::max(0, i - window + 1);
    double sum = 0;
    for (int j = first; j <= i; ++j) {
      const double z = dot(q[i], k[j], q.columns) / std::sqrt(q.columns);
      weight[j] = std::exp(cap * std::tanh(z / cap));  // e^cap at most
      sum += weight[j];
    }
    for (int c = 0; c < v.columns; ++c) {
      y[i][c] = 0;
      for (int j = first; j <= i; ++j) y[i][c] += weight[j] / sum * v[j][c];
    }
  }
  // end
}

// q, k, v and y are [T, heads · d]: head h is an attention on the columns from h · d to h · d + d − 1.
void attention_of_heads(In q, In k, In v, int heads, Out y) {
  // blank: an attention for each head
  const int d = q.columns / heads;
  const auto own = [&](In x, int h) {
    std::vector<double> numbers;
    for (int t = 0; t < x.rows; ++t) {
      for (int c = 0; c < d; ++c) numbers.push_back(x[t][h * d + c]);
    }
    return numbers;
  };
  for (int h = 0; h < heads; ++h) {
    const auto of_q = own(q, h), of_k = own(k, h), of_v = own(v, h);
    std::vector<double> of_y(of_q.size());
    attention({q.rows, d, of_q.data()}, {k.rows, d, of_k.data()}, {v.rows, d, of_v.data()}, {y.rows, d, of_y.data()});
    for (int t = 0; t < y.rows; ++t) {
      for (int c = 0; c < d; ++c) y[t][h * d + c] = of_y[t * d + c];
    }
  }
  // end
}
