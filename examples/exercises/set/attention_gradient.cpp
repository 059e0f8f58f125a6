#include "examples/exercises/set/attention_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/pairs.h"
#include "examples/exercises/set/set.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_attention_gradient {
namespace {

enum Wrong { mean_lost, scale_lost_in_dk, scale_lost_in_dq, weights_transposed, scores_transposed_for_k, scores_transposed_for_q, mask_lost,
             mean_over_queries, mean_unweighted, weight_lost, mean_by_own_value, mean_by_keys_number, scale_twice, multiplied, own_rows,
             one_by_one, no_scale, last_query_alone };

Pairs weights(const Probe& p, Made made) {
  const In q = p.in("q"), k = p.in("k");
  Pairs weight(q.rows);
  for (int i = 0; i < q.rows; ++i) {
    const int seen = made[mask_lost] ? q.rows : i + 1;
    const auto score = [&](int j) { return product(q[i], k[j], q.columns) / (made[no_scale] ? 1 : std::sqrt(q.columns)); };
    double greatest = score(0), sum = 0;
    for (int j = 0; j < seen; ++j) greatest = std::max(greatest, score(j));
    for (int j = 0; j < seen; ++j) sum += weight(i, j) = std::exp(score(j) - greatest);
    for (int j = 0; j < seen; ++j) weight(i, j) /= sum;
  }
  return weight;
}

// D_i, which softmax subtracts from all that arrives at the weights of query i.
double mean(const Pairs& weight, const Pairs& arrives, In v, In g, int i, Made made) {
  if (made[mean_lost]) return 0;
  if (made[mean_by_own_value]) return product(g[i], v[i], v.columns);
  double sum = 0;
  for (int j = 0; j < weight.n; ++j) {
    const int a = made[mean_over_queries] ? j : i, b = made[mean_over_queries] ? i : j;
    const bool seen = made[mask_lost] || b <= a;
    if (seen) sum += (made[mean_unweighted] ? 1 : weight(a, b)) * arrives(a, b);
  }
  return made[mean_by_keys_number] ? sum / (i + 1) : sum;
}

// dL/dz, of the scores.
Pairs of_scores(const Probe& p, const Pairs& weight, Made made) {
  const In v = p.in("v"), g = p.in("g");
  Pairs arrives(v.rows), dz(v.rows);
  for (int i = 0; i < v.rows; ++i) {
    for (int j = 0; j < v.rows; ++j) arrives(i, j) = product(g[i], v[j], v.columns);
  }
  for (int i = 0; i < v.rows; ++i) {
    const double subtracted = mean(weight, arrives, v, g, i, made);
    for (int j = 0; j < v.rows; ++j) {
      const double w = weight(i, j), factor = made[weight_lost] ? (made[mask_lost] || j <= i ? 1 : 0) : w;
      dz(i, j) = made[one_by_one] ? factor * (1 - w) * arrives(i, j) : factor * (arrives(i, j) - subtracted);
    }
  }
  return dz;
}

// Σ over the pairs that an output's row t is in, times the rows of `x`: of the keys of query t, or the queries of key t.
Array gathered(const std::string& name, const Pairs& pairs, In x, const std::vector<int>& shape, bool over_keys, double factor, bool last_alone = false) {
  Sheet sheet(name, shape);
  const Out y = sheet.out();
  for (int t = 0; t < y.rows; ++t) {
    for (int c = 0; c < y.columns; ++c) {
      double sum = 0;
      for (int s = last_alone ? x.rows - 1 : 0; s < x.rows; ++s) sum += (over_keys ? pairs(t, s) : pairs(s, t)) * x[s][c];
      y[t][c] = factor * sum;
    }
  }
  return sheet.array();
}

double scale_of(int d, bool lost, Made made) {
  const double root = std::sqrt(d), scale = made[multiplied] ? root : 1 / root;
  return lost || made[no_scale] ? 1 : made[scale_twice] ? scale * scale : scale;
}

Outputs gradient_with(const Probe& p, Made made) {
  const In q = p.in("q"), k = p.in("k"), g = p.in("g");
  const Pairs weight = weights(p, made), dz = of_scores(p, weight, made);
  const double for_q = scale_of(q.columns, made[scale_lost_in_dq], made), for_k = scale_of(q.columns, made[scale_lost_in_dk], made);
  const std::vector<int>& shape = p["q"].shape;
  return {gathered("dq", dz, made[own_rows] ? q : k, shape, !made[scores_transposed_for_q], for_q),
          gathered("dk", dz, made[own_rows] ? k : q, shape, made[scores_transposed_for_k], for_k, made[last_query_alone]),
          gathered("dv", weight, g, p["v"].shape, made[weights_transposed], 1, made[last_query_alone])};
}

Outputs right_gradient(const Probe& p) {
  const auto of = [&](const char* name) { return tensor_of(p[name]).set_requires_grad(); };
  const Tensor q = of("q"), k = of("k"), v = of("v");
  const auto one_head = [](const Tensor& x) { return reshape(x, {1, x.size(0), 1, x.size(1)}); };
  const Tensor y = nn::attention(one_head(q), one_head(k), one_head(v), {.causal = true});
  const Tensors gradients = grad({y}, {q, k, v}, {.seeds = {one_head(tensor_of(p["g"]))}});
  return {array_of("dq", gradients[0]), array_of("dk", gradients[1]), array_of("dv", gradients[2])};
}

struct Sizes {
  int length, d, e;
  double size = 1.3;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed) {
  return {name, {drawn("q", {s.length, s.d}, seed, s.size, 0.3), drawn("k", {s.length, s.d}, seed + 1, s.size, -0.2),
                 drawn("v", {s.length, s.e}, seed + 2, 1, 0.4), drawn("g", {s.length, s.e}, seed + 3, 1, -0.3)}};
}

// Is each column's sum over `a` that over `b`? An empty b is 0.
std::string sums_alike(const Array& a, const Array* b) {
  const In of_a = in(a);
  for (int c = 0; c < of_a.columns; ++c) {
    double got = 0, expected = 0, size = 1;
    for (int t = 0; t < of_a.rows; ++t) {
      const double other = b == nullptr ? 0 : in(*b)[t][c];
      got += of_a[t][c], expected += other, size += std::abs(of_a[t][c]) + std::abs(other);
    }
    if (!(std::abs(got - expected) <= 1e-9 * size)) return fmt::format("column {} sums to {}, not {}", c, beside(got, expected), beside(expected, got));
  }
  return "";
}

std::string keys_sum_to_zero(const Probe&, const Outputs& outputs) { return sums_alike(outputs[1], nullptr); }
std::string values_sum_to_g(const Probe& p, const Outputs& outputs) { return sums_alike(outputs[2], &p["g"]); }

std::string queries_as_keys(const Probe& p, const Outputs& outputs) {
  double by_q = 0, by_k = 0, size = 1;
  for (std::size_t i = 0; i < p["q"].numbers.size(); ++i) {
    const double q = p["q"].numbers[i] * outputs[0].numbers[i], k = p["k"].numbers[i] * outputs[1].numbers[i];
    by_q += q, by_k += k, size += std::abs(q) + std::abs(k);
  }
  return std::abs(by_q - by_k) <= 1e-9 * size ? "" : fmt::format("they are {} and {}", beside(by_q, by_k), beside(by_k, by_q));
}

Stage gradient_stage() {
  return {
      .function = "attention_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes =
          {
              {"attn/gradient-without-mean", "Add the same number to all scores of a query: what changes? So to what must their gradients sum?", "dL/dz = P · dL/dP: what softmax subtracts is missing"},
              {"attn/no-scale-in-dk", "By which factor does z_ij change with k_j?", "dL/dk without 1/√d"},
              {"attn/no-scale-in-dq", "By which factor does z_ij change with q_i?", "dL/dq without 1/√d"},
              {"attn/dv-transposed", "Which queries read the first value?", "dL/dv = P g, where Pᵀ g is meant"},
              {"attn/dk-transposed", "In the scores of which queries is the first key?", "dL/dk = dL/dz q, without the transpose"},
              {"attn/dq-transposed", "In which scores is the first query?", "dL/dq = (dL/dz)ᵀ k, with a transpose too many"},
              {"attn/gradient-without-mask", "Does a later key get anything from the first query?", "the weights are made again without the mask"},
              {"attn/mean-over-queries", "Which weights sum to 1: those of one query, or those of one key?", "what is subtracted is summed over queries, not over keys"},
              {"attn/mean-not-weighted", "What is the mean of what arrives, if one weight is nearly 1?", "D = Σ dL/dP, without the weights P"},
              {"attn/weight-missing-in-dz", "What does a score do whose weight is nearly 0?", "dL/dz = dL/dP − D, without the factor P"},
              {"attn/mean-by-own-value", "Which value stands in D_i: v_i, or what the query has made of all of them?", "D_i = g_i · v_i, where g_i · y_i is meant"},
              {"attn/mean-divided", "To what do the weights sum already?", "D is divided by the number of keys"},
              {"attn/scale-twice", "How often does 1/√d stand between q and y?", "1/√d twice, in dL/dz and again in dL/dq and dL/dk"},
              {"attn/gradient-times-scale", "By which factor does z_ij change with q_i?", "√d, where 1/√d is meant"},
              {"attn/own-row-for-other", "z_ij is a product: which factor does the gradient of q_i have?", "dL/dq has q in it, and dL/dk has k"},
              {"attn/softmax-one-by-one", "Does a score change only its own weight?", "dL/dz = P (1 − P) dL/dP, as if weights did not share a sum"},
              {"attn/no-scale", "How large are the scores if d is four times as large?"},
              {"attn/last-query-alone", "How many queries read the first key?", "dL/dk and dL/dv have the last query's part alone: written, not added"},
          },
      .probes = {probe("three tokens of 2 numbers", {3, 2, 2}, 2501), probe("five tokens of 4 numbers, with values of 3", {5, 4, 3}, 2511),
                 probe("seven tokens of 6 numbers, with values of 2", {7, 6, 2}, 2521),
                 probe("four tokens with large scores", {4, 3, 5, 6}, 2531)},
      .laws = {{"the same step in all keys changes nothing, so the rows of dk sum to 0", keys_sum_to_zero, "To what do the numbers of a row of dz sum, and what follows for dk?"},
               {"each query's weights sum to 1, so the rows of dv sum to those of g", values_sum_to_g, "Which index of P do you sum over for dv?"},
               {"a longer q makes the scores that a longer k makes, so q · dq and k · dk have the same sum", queries_as_keys, "Do dq and dk come from the same dz, with the same factor?"}},
  };
}

}  // namespace
}  // namespace in_attention_gradient

Functions attention_gradient(void (*gradient)(In, In, In, In, Out, Out, Out)) {
  return {[=](const Probe& p) {
    Sheet dq("dq", p["q"].shape), dk("dk", p["k"].shape), dv("dv", p["v"].shape);
    gradient(p.in("q"), p.in("k"), p.in("v"), p.in("g"), dq.out(), dk.out(), dv.out());
    return Outputs{dq.array(), dk.array(), dv.array()};
  }};
}

Exercise attention_gradient_exercise() {
  return {
      .number = 17,
      .id = "attention-gradient",
      .title = "The gradient of causal attention",
      .section = "ch07.md#attn-scaled-dot",
      .needs = {"softmax", "attention"},
      .minutes = 60,
      .hints = {"A query has one row of scores. Which queries does a key reach, and which does a value reach?",
                "Go back through one query at a time: y to weights and values, weights to scores, scores to q and keys. Keys and values are reached by several "
                "queries.",
                "The weights of a query share one sum. So softmax takes from all that arrives at them its mean, weighted by the weights themselves.",
                "dP_ij = g_i · v_j, dz_ij = P_ij (dP_ij − Σ_j P_ij dP_ij). Then dv_j = Σ_i P_ij g_i, dq_i = Σ_j dz_ij k_j / √d, dk_j = Σ_i dz_ij q_i / √d."},
      .done = "The mean that softmax subtracts is g · y: it needs no weights, and so a fast kernel need not keep them.",
      .stages = {in_attention_gradient::gradient_stage()},
  };
}

}  // namespace gradus::exercises::set
