// Exercise 17, attention-gradient: what a causal attention sends back to queries, keys and values.   docs/ch07.md#attn-scaled-dot
//
//   z_ij = q_i · k_j / √d      P_ij = exp z_ij / Σ_j exp z_ij      y_i = Σ_j P_ij v_j      with j = 0 … i in both sums
//
// q, k, dq and dk are [T, d], v and dv [T, e], and g [T, e] is dL/dy. Write it without the tape.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: The gradient of causal attention
//! minutes: 60
//! needs: softmax, attention
//! done: The mean that softmax subtracts is g · y: it needs no weights, and so a fast kernel need not keep them.
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
  //! A query has one row of scores. Which queries does a key reach, and which does a value reach?
  //! Go back through one query at a time: y to weights and values, weights to scores, scores to q and keys. Keys and values are reached by
  //!   several queries.
  //! The weights of a query share one sum. So softmax takes from all that arrives at them its mean, weighted by the weights themselves.
  //! dP_ij = g_i · v_j, dz_ij = P_ij (dP_ij − Σ_j P_ij dP_ij). Then dv_j = Σ_i P_ij g_i, dq_i = Σ_j dz_ij k_j / √d, dk_j = Σ_i dz_ij q_i /
  //!   √d.
  const int d = q.columns, e = v.columns;
  std::fill(dq.numbers, dq.numbers + dq.rows * d, 0.0);
  std::fill(dk.numbers, dk.numbers + dk.rows * d, 0.0);
  std::fill(dv.numbers, dv.numbers + dv.rows * e, 0.0);
  //+ double mean_before = 0;
  //+ const auto weights_on = [&](int query, int seen, double root) {
  //+   std::vector<double> p(seen);
  //+   for (int j = 0; j < seen; ++j) p[j] = dot(q[query], k[j], d) / root;
  //+   const double greatest = *std::max_element(p.begin(), p.end());
  //+   double sum = 0;
  //+   for (double& one : p) sum += one = std::exp(one - greatest);
  //+   for (double& one : p) one /= sum;
  //+   return p;
  //+ };
  for (int i = 0; i < q.rows; ++i) {
    const std::vector<double> p = weights_of(q, k, i);
    //~ 7 attn/gradient-without-mask: const std::vector<double> p = weights_on(i, q.rows, std::sqrt(d));
    //? Does a later key get anything from the first query?
    //= the weights are made again without the mask
    //~ 17 attn/no-scale: const std::vector<double> p = weights_on(i, i + 1, 1);
    //? How large are the scores if d is four times as large?
    double mean = 0;
    //~ 25 attn/mean-not-reset: double mean = mean_before;
    //? What does D hold when the second query begins?
    //= D is not set to 0 for each query
    for (int j = 0; j <= i; ++j) mean += p[j] * dot(g[i], v[j], e);
    //~ also attn/gradient-without-mask: for (int j = 0; j < q.rows; ++j) mean += p[j] * dot(g[i], v[j], e);
    //~ 8 attn/mean-over-queries: for (int a = i; a < q.rows; ++a) mean += weights_of(q, k, a)[i] * dot(g[a], v[i], e);
    //? Which weights sum to 1: those of one query, or those of one key?
    //= what is subtracted is summed over queries, not over keys
    //~ 9 attn/mean-not-weighted: for (int j = 0; j <= i; ++j) mean += dot(g[i], v[j], e);
    //? What is the mean of what arrives, if one weight is nearly 1?
    //= D = Σ dL/dP, without the weights P
    //~ 11 attn/mean-by-own-value: mean = dot(g[i], v[i], e);
    //? Which value stands in D_i: v_i, or what the query has made of all of them?
    //= D_i = g_i · v_i, where g_i · y_i is meant
    //~ 23 attn/mean-without-own-key: for (int j = 0; j < i; ++j) mean += p[j] * dot(g[i], v[j], e);
    //? Over which keys does D_i sum for the first query?
    //= D has no part of the key at the query's own place: j ends before i
    //~ 24 attn/mean-so-far:
    //? Is D_i complete when the first dz_ij is computed?
    //= D is subtracted while it is still being summed
    //~ 29 attn/gradient-of-key-place: for (int j = 0; j <= i; ++j) mean += p[j] * dot(g[j], v[j], e);
    //? Who hands g on to P_ij: the query i, or the key j?
    //= dL/dP_ij = g_j · v_j, where g_i · v_j is meant
    //~ 30 attn/gradient-and-value-exchanged: for (int j = 0; j <= i; ++j) mean += p[j] * dot(g[j], v[i], e);
    //? y_i = Σ_j P_ij v_j: which row of g and which row of v meet in dL/dP_ij?
    //= dL/dP_ij = g_j · v_i, where g_i · v_j is meant
    //~ 31 attn/value-of-query-in-gradient: for (int j = 0; j <= i; ++j) mean += p[j] * dot(g[i], v[i], e);
    //? y_i = Σ_j P_ij v_j: which value does P_ij multiply?
    //= dL/dP_ij = g_i · v_i, where g_i · v_j is meant
    //+ mean_before = mean;
    for (int j = 0; j <= i; ++j) {
      //~ also attn/gradient-without-mask: for (int j = 0; j < q.rows; ++j) {
      //~ 22 attn/own-key-left-out: for (int j = 0; j < i; ++j) {
      //? Does a query see the key at its own place?
      //= j ends before i: the key at the query's own place gets and gives nothing
      const double dz = p[j] * (dot(g[i], v[j], e) - mean);
      //~ 1 attn/gradient-without-mean: const double dz = p[j] * dot(g[i], v[j], e);
      //? Add the same number to all scores of a query: what changes? So to what must their gradients sum?
      //= dL/dz = P · dL/dP: what softmax subtracts is missing
      //~ 10 attn/weight-missing-in-dz: const double dz = dot(g[i], v[j], e) - mean;
      //? What does a score do whose weight is nearly 0?
      //= dL/dz = dL/dP − D, without the factor P
      //~ 12 attn/mean-divided: const double dz = p[j] * (dot(g[i], v[j], e) - mean / (i + 1));
      //? To what do the weights sum already?
      //= D is divided by the number of keys
      //~ 16 attn/softmax-one-by-one: const double dz = p[j] * (1 - p[j]) * dot(g[i], v[j], e);
      //? Does a score change only its own weight?
      //= dL/dz = P (1 − P) dL/dP, as if weights did not share a sum
      //~ also attn/mean-so-far: const double dz = p[j] * (dot(g[i], v[j], e) - (mean += p[j] * dot(g[i], v[j], e)));
      //~ 26 attn/mean-added: const double dz = p[j] * (dot(g[i], v[j], e) + mean);
      //? Add the same number to all scores of a query: what changes? So to what must their gradients sum?
      //= dL/dz = P (dL/dP + D): D is added, not subtracted
      //~ 27 attn/mean-outside-product: const double dz = p[j] * dot(g[i], v[j], e) - mean;
      //? dz_ij of a key whose weight is nearly 0: what should it be, and what is yours?
      //= dL/dz = P · dL/dP − D: P does not multiply D
      //~ 28 attn/weight-twice-in-dz: const double dz = p[j] * p[j] * (dot(g[i], v[j], e) - mean);
      //? How often does P_ij stand before the bracket?
      //= dL/dz = P² (dL/dP − D)
      //~ also attn/gradient-of-key-place: const double dz = p[j] * (dot(g[j], v[j], e) - mean);
      //~ also attn/gradient-and-value-exchanged: const double dz = p[j] * (dot(g[j], v[i], e) - mean);
      //~ also attn/value-of-query-in-gradient: const double dz = p[j] * (dot(g[i], v[i], e) - mean);
      for (int c = 0; c < e; ++c) dv[j][c] += p[j] * g[i][c];
      //~ 4 attn/dv-transposed: for (int c = 0; c < e; ++c) dv[i][c] += p[j] * g[j][c];
      //? Which queries read the first value?
      //= dL/dv = P g, where Pᵀ g is meant
      //~ 18 attn/last-query-alone: for (int c = 0; c < e; ++c) dv[j][c] = p[j] * g[i][c];
      //? How many queries read the first key?
      //= dL/dk and dL/dv have the last query's part alone: written, not added
      //~ 21 attn/dv-last-query-alone: for (int c = 0; c < e; ++c) dv[j][c] = p[j] * g[i][c];
      //? How many queries read the first value?
      //= dL/dv has the last query's part alone: written, not added
      //~ 33 attn/dv-unweighted: for (int c = 0; c < e; ++c) dv[j][c] += g[i][c];
      //? Which share of v_j is in y_i?
      //= dL/dv_j = Σ g_i, without the weights
      //~ 34 attn/dv-scaled: for (int c = 0; c < e; ++c) dv[j][c] += p[j] * g[i][c] / std::sqrt(d);
      //? Does 1/√d stand between v and y?
      //= dL/dv is divided by √d
      //~ 35 attn/dv-of-scores: for (int c = 0; c < e; ++c) dv[j][c] += dz * g[i][c];
      //? What multiplies v_j in y_i: a weight, or a score?
      //= dL/dv is made of dL/dz, where P is meant
      //~ 36 attn/dv-in-row-of-query: for (int c = 0; c < e; ++c) dv[i][c] += p[j] * g[i][c];
      //? Whose gradient is P_ij g_i a part of: that of v_i, or of v_j?
      //= P_ij g_i is added to row i of dv, not to row j
      //~ 37 attn/dv-from-row-of-key: for (int c = 0; c < e; ++c) dv[j][c] += p[j] * g[j][c];
      //? Which row of g has what v_j did to y_i?
      //= row j of dv gets P_ij g_j, where g_i is meant
      for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c] / std::sqrt(d);
      //~ 3 attn/no-scale-in-dq: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c];
      //? By which factor does z_ij change with q_i?
      //= dL/dq without 1/√d
      //~ 6 attn/dq-transposed: for (int c = 0; c < d; ++c) dq[j][c] += dz * k[i][c] / std::sqrt(d);
      //? In which scores is the first query?
      //= dL/dq = (dL/dz)ᵀ k, with a transpose too many
      //~ 13 attn/scale-twice: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c] / d;
      //? How often does 1/√d stand between q and y?
      //= 1/√d twice, in dL/dz and again in dL/dq and dL/dk: divided by d, not by its root
      //~ 14 attn/gradient-times-scale: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c] * std::sqrt(d);
      //? By which factor does z_ij change with q_i?
      //= √d, where 1/√d is meant
      //~ 15 attn/own-row-for-other: for (int c = 0; c < d; ++c) dq[i][c] += dz * q[j][c] / std::sqrt(d);
      //? z_ij is a product: which factor does the gradient of q_i have?
      //= dL/dq has q in it, and dL/dk has k
      //~ also attn/no-scale: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c];
      //~ 19 attn/dq-last-key-alone: for (int c = 0; c < d; ++c) dq[i][c] = dz * k[j][c] / std::sqrt(d);
      //? How many keys does one query have a score with?
      //= dL/dq has the last key's part alone: written, not added
      //~ 32 attn/gradient-scale-by-value-width: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[j][c] / std::sqrt(e);
      //? Of how many products is a score the sum: one for each number of a key, or of a value?
      //= dL/dq and dL/dk are divided by √e, with e the width of the values
      //~ 40 attn/dq-in-row-of-key: for (int c = 0; c < d; ++c) dq[j][c] += dz * k[j][c] / std::sqrt(d);
      //? Whose gradient is dz_ij k_j a part of: that of q_i, or of q_j?
      //= dz_ij k_j is added to row j of dq, not to row i
      //~ 41 attn/dq-from-row-of-query: for (int c = 0; c < d; ++c) dq[i][c] += dz * k[i][c] / std::sqrt(d);
      //? z_ij is q_i · k_j: which row of k does the gradient of q_i have?
      //= row i of dq gets dz_ij k_i, where k_j is meant
      //~ 44 attn/dq-of-queries: for (int c = 0; c < d; ++c) dq[i][c] += dz * q[j][c] / std::sqrt(d);
      //? z_ij is a product: which factor does the gradient of q_i have?
      //= dL/dq has q in it, where k is meant
      for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c] / std::sqrt(d);
      //~ 2 attn/no-scale-in-dk: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c];
      //? By which factor does z_ij change with k_j?
      //= dL/dk without 1/√d
      //~ 5 attn/dk-transposed: for (int c = 0; c < d; ++c) dk[i][c] += dz * q[j][c] / std::sqrt(d);
      //? In the scores of which queries is the first key?
      //= dL/dk = dL/dz q, without the transpose
      //~ also attn/scale-twice: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c] / d;
      //~ also attn/gradient-times-scale: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c] * std::sqrt(d);
      //~ also attn/own-row-for-other: for (int c = 0; c < d; ++c) dk[j][c] += dz * k[i][c] / std::sqrt(d);
      //~ also attn/no-scale: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c];
      //~ also attn/last-query-alone: for (int c = 0; c < d; ++c) dk[j][c] = dz * q[i][c] / std::sqrt(d);
      //~ 20 attn/dk-last-query-alone: for (int c = 0; c < d; ++c) dk[j][c] = dz * q[i][c] / std::sqrt(d);
      //? How many queries have a score with the first key?
      //= dL/dk has the last query's part alone: written, not added
      //~ also attn/gradient-scale-by-value-width: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[i][c] / std::sqrt(e);
      //~ 38 attn/dk-in-row-of-query: for (int c = 0; c < d; ++c) dk[i][c] += dz * q[i][c] / std::sqrt(d);
      //? Whose gradient is dz_ij q_i a part of: that of k_i, or of k_j?
      //= dz_ij q_i is added to row i of dk, not to row j
      //~ 39 attn/dk-from-row-of-key: for (int c = 0; c < d; ++c) dk[j][c] += dz * q[j][c] / std::sqrt(d);
      //? z_ij is q_i · k_j: which row of q does the gradient of k_j have?
      //= row j of dk gets dz_ij q_j, where q_i is meant
      //~ 42 attn/dk-of-keys: for (int c = 0; c < d; ++c) dk[j][c] += dz * k[i][c] / std::sqrt(d);
      //? z_ij is a product: which factor does the gradient of k_j have?
      //= dL/dk has k in it, where q is meant
      //~ 43 attn/dk-of-keys: for (int c = 0; c < d; ++c) dk[j][c] += dz * k[j][c] / std::sqrt(d);
    }
  }
  // end
}
