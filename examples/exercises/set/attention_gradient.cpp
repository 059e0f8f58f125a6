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
             one_by_one, no_scale, last_query_alone, dq_of_last_key, dk_of_last_query, dv_of_last_query, own_key_lost, mean_without_own_key,
             mean_so_far, mean_kept, mean_added, mean_unscaled_by_weight, weight_squared, arrives_from_own_g, arrives_exchanged,
             arrives_at_own_value, scale_by_e, dv_unweighted, dv_scaled, dv_of_dz, dv_to_query, dv_from_key, dk_to_query,
             dk_from_key, dq_to_key, dq_from_query, dk_of_keys, dk_of_own_key, dq_of_queries };

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

// dL/dP, what arrives at the weights.
Pairs of_weights(In v, In g, Made made) {
  Pairs arrives(v.rows);
  for (int i = 0; i < v.rows; ++i) {
    for (int j = 0; j < v.rows; ++j) {
      const bool own_g = made[arrives_from_own_g] || made[arrives_exchanged], own_value = made[arrives_at_own_value] || made[arrives_exchanged];
      arrives(i, j) = product(g[own_g ? j : i], v[own_value ? i : j], v.columns);
    }
  }
  return arrives;
}

// D_i, which softmax subtracts from all that arrives at the weights of query i; of the keys up to `last` alone.
double mean(const Pairs& weight, const Pairs& arrives, int i, int last, Made made) {
  double sum = 0;
  for (int j = 0; j <= last; ++j) {
    const int a = made[mean_over_queries] ? j : i, b = made[mean_over_queries] ? i : j;
    const bool seen = (made[mask_lost] || b <= a) && !(made[mean_without_own_key] && b == a);
    if (seen) sum += (made[mean_unweighted] ? 1 : weight(a, b)) * arrives(a, b);
  }
  return made[mean_by_keys_number] ? sum / (i + 1) : sum;
}

// dL/dz, of the scores.
Pairs of_scores(const Probe& p, const Pairs& weight, Made made) {
  const In v = p.in("v"), g = p.in("g");
  const Pairs arrives = of_weights(v, g, made);
  Pairs dz(v.rows);
  double before = 0;  // the means of the queries before
  for (int i = 0; i < v.rows; ++i) {
    const auto subtracted = [&](int j) {
      if (made[mean_lost]) return 0.0;
      if (made[mean_by_own_value]) return product(g[i], v[i], v.columns);
      return (made[mean_added] ? -1 : 1) * (before + mean(weight, arrives, i, made[mean_so_far] ? j : v.rows - 1, made));
    };
    for (int j = 0; j < v.rows; ++j) {
      const bool seen = made[mask_lost] || j <= i;
      const double w = weight(i, j), factor = made[weight_lost] ? (seen ? 1 : 0) : made[weight_squared] ? w * w : w;
      dz(i, j) = made[one_by_one]                        ? factor * (1 - w) * arrives(i, j)
                 : made[mean_unscaled_by_weight] && seen ? factor * arrives(i, j) - subtracted(j)
                                                         : factor * (arrives(i, j) - subtracted(j));
    }
    if (made[mean_kept]) before = subtracted(v.rows - 1);
  }
  return dz;
}

// y is a sum over all pairs of a query and a key that it sees: coefficient · x, of the key's row or the query's into the key's or
// the query's.
struct Sum {
  const char* name;
  const Pairs& coefficient;
  In x;
  bool from_key, to_key;
  double factor = 1;
  bool replaced = false;  // each term replaces those before it

  Array over(const std::vector<int>& shape, Made made) const {
    Sheet sheet(name, shape);
    const Out y = sheet.out();
    std::fill_n(y.numbers, y.rows * y.columns, 0.0);
    for (int i = 0; i < y.rows; ++i) {
      for (int j = 0; j < (made[mask_lost] ? y.rows : i + 1); ++j) {
        if (made[own_key_lost] && i == j) continue;
        for (int c = 0; c < y.columns; ++c) {
          double& one = y[to_key ? j : i][c];
          one = (replaced ? 0 : one) + factor * coefficient(i, j) * x[from_key ? j : i][c];
        }
      }
    }
    const auto is_rounding = [](double one) { return std::abs(one) < 1e-12; };
    if (std::all_of(y.numbers, y.numbers + y.rows * y.columns, is_rounding)) std::fill_n(y.numbers, y.rows * y.columns, 0.0);
    return sheet.array();
  }
};

double scale_of(const Probe& p, bool lost, Made made) {
  const double n = columns_of(p[made[scale_by_e] ? "v" : "q"]), root = std::sqrt(n), scale = made[multiplied] ? root : 1 / root;
  return lost || made[no_scale] ? 1 : made[scale_twice] ? scale * scale : scale;
}

Outputs gradient_with(const Probe& p, Made made) {
  const In q = p.in("q"), k = p.in("k"), g = p.in("g");
  const Pairs weight = weights(p, made), dz = of_scores(p, weight, made);
  Pairs ones(q.rows);
  std::fill(ones.numbers.begin(), ones.numbers.end(), 1.0);
  const bool for_q = made[scores_transposed_for_q], for_k = made[scores_transposed_for_k], for_v = made[weights_transposed];
  const bool of_own = made[own_rows], last = made[last_query_alone];
  const Sum dq{"dq", dz, of_own || made[dq_of_queries] ? q : k,
               !for_q && !made[dq_from_query], for_q || made[dq_to_key],
               scale_of(p, made[scale_lost_in_dq], made), made[dq_of_last_key]};
  const Sum dk{"dk", dz, of_own || made[dk_of_keys] || made[dk_of_own_key] ? k : q, for_k || made[dk_from_key] || made[dk_of_own_key],
               !for_k && !made[dk_to_query], scale_of(p, made[scale_lost_in_dk], made), last || made[dk_of_last_query]};
  const Sum dv{"dv", made[dv_of_dz] ? dz : made[dv_unweighted] ? ones : weight, g, for_v || made[dv_from_key],
               !for_v && !made[dv_to_query], made[dv_scaled] ? scale_of(p, false, made) : 1, last || made[dv_of_last_query]};
  return {dq.over(p["q"].shape, made), dk.over(p["k"].shape, made), dv.over(p["v"].shape, made)};
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

// Are these outputs right, whatever the others are?
bool are_right(const Probe& p, const Outputs& outputs, std::initializer_list<std::size_t> which) {
  const Outputs right = right_gradient(p);
  return std::all_of(which.begin(), which.end(), [&](std::size_t i) { return equal(outputs[i], right[i]); });
}

std::vector<Piece> pieces() {
  return {{"dq", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {1, 2}); },
           "dk is right, and so is dz: only the line that writes dq is left. Which keys are in dq[0], each with which factor? And in dq[1]?"},
          {"dk", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {0, 2}); },
           "dq is right, and so is dz: only the line that writes dk is left. Which queries are in dk[0], each with which factor?"},
          {"dv", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {0, 1}); },
           "The weights are right, so only the line that writes dv is left. Which rows of g are in dv[0], each with which weight?"}};
}

std::vector<Mistake> mistakes() {
  return {
      {mean_lost, "attn/gradient-without-mean", "Add the same number to all scores of a query: what changes? So to what must their gradients sum?", "dL/dz = P · dL/dP: what softmax subtracts is missing"},
      {scale_lost_in_dk, "attn/no-scale-in-dk", "By which factor does z_ij change with k_j?", "dL/dk without 1/√d"},
      {scale_lost_in_dq, "attn/no-scale-in-dq", "By which factor does z_ij change with q_i?", "dL/dq without 1/√d"},
      {weights_transposed, "attn/dv-transposed", "Which queries read the first value?", "dL/dv = P g, where Pᵀ g is meant"},
      {scores_transposed_for_k, "attn/dk-transposed", "In the scores of which queries is the first key?", "dL/dk = dL/dz q, without the transpose"},
      {scores_transposed_for_q, "attn/dq-transposed", "In which scores is the first query?", "dL/dq = (dL/dz)ᵀ k, with a transpose too many"},
      {mask_lost, "attn/gradient-without-mask", "Does a later key get anything from the first query?", "the weights are made again without the mask"},
      {mean_over_queries, "attn/mean-over-queries", "Which weights sum to 1: those of one query, or those of one key?", "what is subtracted is summed over queries, not over keys"},
      {mean_unweighted, "attn/mean-not-weighted", "What is the mean of what arrives, if one weight is nearly 1?", "D = Σ dL/dP, without the weights P"},
      {weight_lost, "attn/weight-missing-in-dz", "What does a score do whose weight is nearly 0?", "dL/dz = dL/dP − D, without the factor P"},
      {mean_by_own_value, "attn/mean-by-own-value", "Which value stands in D_i: v_i, or what the query has made of all of them?", "D_i = g_i · v_i, where g_i · y_i is meant"},
      {mean_by_keys_number, "attn/mean-divided", "To what do the weights sum already?", "D is divided by the number of keys"},
      {scale_twice, "attn/scale-twice", "How often does 1/√d stand between q and y?", "1/√d twice, in dL/dz and again in dL/dq and dL/dk: divided by d, not by its root"},
      {multiplied, "attn/gradient-times-scale", "By which factor does z_ij change with q_i?", "√d, where 1/√d is meant"},
      {own_rows, "attn/own-row-for-other", "z_ij is a product: which factor does the gradient of q_i have?", "dL/dq has q in it, and dL/dk has k"},
      {one_by_one, "attn/softmax-one-by-one", "Does a score change only its own weight?", "dL/dz = P (1 − P) dL/dP, as if weights did not share a sum"},
      {no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
      {last_query_alone, "attn/last-query-alone", "How many queries read the first key?", "dL/dk and dL/dv have the last query's part alone: written, not added"},
      {dq_of_last_key, "attn/dq-last-key-alone", "How many keys does one query have a score with?", "dL/dq has the last key's part alone: written, not added"},
      {dk_of_last_query, "attn/dk-last-query-alone", "How many queries have a score with the first key?", "dL/dk has the last query's part alone: written, not added"},
      {dv_of_last_query, "attn/dv-last-query-alone", "How many queries read the first value?", "dL/dv has the last query's part alone: written, not added"},
      {own_key_lost, "attn/own-key-left-out", "Does a query see the key at its own place?", "j ends before i: the key at the query's own place gets and gives nothing"},
      {mean_without_own_key, "attn/mean-without-own-key", "Over which keys does D_i sum for the first query?", "D has no part of the key at the query's own place: j ends before i"},
      {mean_so_far, "attn/mean-so-far", "Is D_i complete when the first dz_ij is computed?", "D is subtracted while it is still being summed"},
      {mean_kept, "attn/mean-not-reset", "What does D hold when the second query begins?", "D is not set to 0 for each query"},
      {mean_added, "attn/mean-added", "Add the same number to all scores of a query: what changes? So to what must their gradients sum?", "dL/dz = P (dL/dP + D): D is added, not subtracted"},
      {mean_unscaled_by_weight, "attn/mean-outside-product", "dz_ij of a key whose weight is nearly 0: what should it be, and what is yours?", "dL/dz = P · dL/dP − D: P does not multiply D"},
      {weight_squared, "attn/weight-twice-in-dz", "How often does P_ij stand before the bracket?", "dL/dz = P² (dL/dP − D)"},
      {arrives_from_own_g, "attn/gradient-of-key-place", "Who hands g on to P_ij: the query i, or the key j?", "dL/dP_ij = g_j · v_j, where g_i · v_j is meant"},
      {arrives_exchanged, "attn/gradient-and-value-exchanged", "y_i = Σ_j P_ij v_j: which row of g and which row of v meet in dL/dP_ij?", "dL/dP_ij = g_j · v_i, where g_i · v_j is meant"},
      {arrives_at_own_value, "attn/value-of-query-in-gradient", "y_i = Σ_j P_ij v_j: which value does P_ij multiply?", "dL/dP_ij = g_i · v_i, where g_i · v_j is meant"},
      {scale_by_e, "attn/gradient-scale-by-value-width", "Of how many products is a score the sum: one for each number of a key, or of a value?", "dL/dq and dL/dk are divided by √e, with e the width of the values"},
      {dv_unweighted, "attn/dv-unweighted", "Which share of v_j is in y_i?", "dL/dv_j = Σ g_i, without the weights"},
      {dv_scaled, "attn/dv-scaled", "Does 1/√d stand between v and y?", "dL/dv is divided by √d"},
      {dv_of_dz, "attn/dv-of-scores", "What multiplies v_j in y_i: a weight, or a score?", "dL/dv is made of dL/dz, where P is meant"},
      {dv_to_query, "attn/dv-in-row-of-query", "Whose gradient is P_ij g_i a part of: that of v_i, or of v_j?", "P_ij g_i is added to row i of dv, not to row j"},
      {dv_from_key, "attn/dv-from-row-of-key", "Which row of g has what v_j did to y_i?", "row j of dv gets P_ij g_j, where g_i is meant"},
      {dk_to_query, "attn/dk-in-row-of-query", "Whose gradient is dz_ij q_i a part of: that of k_i, or of k_j?", "dz_ij q_i is added to row i of dk, not to row j"},
      {dk_from_key, "attn/dk-from-row-of-key", "z_ij is q_i · k_j: which row of q does the gradient of k_j have?", "row j of dk gets dz_ij q_j, where q_i is meant"},
      {dq_to_key, "attn/dq-in-row-of-key", "Whose gradient is dz_ij k_j a part of: that of q_i, or of q_j?", "dz_ij k_j is added to row j of dq, not to row i"},
      {dq_from_query, "attn/dq-from-row-of-query", "z_ij is q_i · k_j: which row of k does the gradient of q_i have?", "row i of dq gets dz_ij k_i, where k_j is meant"},
      {dk_of_keys, "attn/dk-of-keys", "z_ij is a product: which factor does the gradient of k_j have?", "dL/dk has k in it, where q is meant"},
      {dk_of_own_key, "attn/dk-of-keys", "z_ij is a product: which factor does the gradient of k_j have?"},
      {dq_of_queries, "attn/dq-of-queries", "z_ij is a product: which factor does the gradient of q_i have?", "dL/dq has q in it, where k is meant"},
  };
}

Stage gradient_stage() {
  return {
      .function = "attention_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes = mistakes(),
      .probes = {probe("three tokens of 2 numbers", {3, 2, 2}, 2501), probe("five tokens of 4 numbers, with values of 3", {5, 4, 3}, 2511),
                 probe("seven tokens of 6 numbers, with values of 2", {7, 6, 2}, 2521),
                 probe("four tokens with large scores", {4, 3, 5, 6}, 2531)},
      .laws = {{"the same step in all keys changes nothing, so the rows of dk sum to 0", keys_sum_to_zero, "Print the sum of each row of your dz. All 0: look at how dz becomes dk. Not 0: look at dz."},
               {"each query's weights sum to 1, so the rows of dv sum to those of g", values_sum_to_g, "Which index of P do you sum over for dv?"},
               {"a longer q makes the scores that a longer k makes, so q · dq and k · dk have the same sum", queries_as_keys, "Do dq and dk come from the same dz, with the same factor?"}},
      .pieces = pieces(),
      .hints = {"A query has one row of scores. Which queries does a key reach, and which does a value reach?",
                "Go back through one query at a time: y to weights and values, weights to scores, scores to q and keys. Keys and values are reached by several "
                "queries.",
                "The weights of a query share one sum. So softmax takes from all that arrives at them its mean, weighted by the weights themselves.",
                "dP_ij = g_i · v_j, dz_ij = P_ij (dP_ij − Σ_j P_ij dP_ij). Then dv_j = Σ_i P_ij g_i, dq_i = Σ_j dz_ij k_j / √d, dk_j = Σ_i dz_ij q_i / √d."},
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
      .done = "The mean that softmax subtracts is g · y: it needs no weights, and so a fast kernel need not keep them.",
      .stages = {in_attention_gradient::gradient_stage()},
  };
}

}  // namespace gradus::exercises::set
