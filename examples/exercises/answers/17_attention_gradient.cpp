// Exercise 17, attention-gradient: what a causal attention sends back to queries, keys and values.   docs/ch07.md#attn-scaled-dot
//
//   z_ij = q_i · k_j / √d      P_ij = exp z_ij / Σ_j exp z_ij      y_i = Σ_j P_ij v_j      with j = 0 … i in both sums
//
// q, k, dq and dk are [T, d], v and dv [T, e], and g [T, e] is dL/dy. Write it without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include <vector>

#include "examples/exercises/rows.h"

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

// P_ij for the keys j = 0 … i of one query.
std::vector<double> weights_of(In q, In k, int i) {
  std::vector<double> p(i + 1);
  for (int j = 0; j <= i; ++j) p[j] = dot(q[i], k[j], q.columns) / std::sqrt(q.columns);
  const double greatest = *std::max_element(p.begin(), p.end());
  double sum = 0;
  for (double& one : p) sum += one = std::exp(one - greatest);
  for (double& one : p) one /= sum;
  return p;
}

void attention_gradient(In q, In k, In v, In g, Out dq, Out dk, Out dv) {
  // blank: from g to the weights, through the softmax to the scores, and from them to q and k
  const int d = q.columns, e = v.columns;
  std::fill(dq.numbers, dq.numbers + dq.rows * d, 0.0);
  std::fill(dk.numbers, dk.numbers + dk.rows * d, 0.0);
  std::fill(dv.numbers, dv.numbers + dv.rows * e, 0.0);
  for (int i = 0; i < q.rows; ++i) {
    const std::vector<double> p = weights_of(q, k, i);
    double mean = 0;
    for (int j = 0; j <= i; ++j) mean += p[j] * dot(g[i], v[j], e);
    for (int j = 0; j <= i; ++j) {
      const double dz = p[j] * (dot(g[i], v[j], e) - mean);
      for (int c = 0; c < e; ++c) dv[j][c] += p[j] * g[i][c];
      for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c] / std::sqrt(d);
      for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c] / std::sqrt(d);
    }
  }
  // end
}
