#include "examples/exercises/set/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/pairs.h"
#include "examples/exercises/set/set.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_attention {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is summed to 1.
enum class Over { keys, queries, all, nothing };

// The places that are summed with (i, j).
template <typename F> void for_each_beside(const Pairs& z, Over over, int i, int j, const F& f) {
  for (int a = 0; a < z.n; ++a) {
    for (int b = 0; b < z.n; ++b) {
      if (over == Over::all || (over == Over::queries ? b == j : a == i)) f(z(a, b));
    }
  }
}

// A score of −∞ is hidden; where all are, the weights are 0. The search for the greatest begins at `begin`.
Pairs softmax(const Pairs& z, Over over, bool without_greatest = false, double begin = -kInfinity) {
  Pairs p(z.n);
  for (int i = 0; i < z.n; ++i) {
    for (int j = 0; j < z.n; ++j) {
      double greatest = begin, sum = 0;
      for_each_beside(z, over, i, j, [&](double one) { greatest = std::max(greatest, one); });
      if (greatest == -kInfinity) continue;
      const double shift = without_greatest ? 0 : greatest;
      for_each_beside(z, over, i, j, [&](double one) { sum += std::exp(one - shift); });
      p(i, j) = std::exp(z(i, j) - shift) / (over == Over::nothing ? 1 : sum);
    }
  }
  return p;
}

void weigh(const Pairs& p, In v, Out y) {
  for (int i = 0; i < p.n; ++i) {
    for (int c = 0; c < v.columns; ++c) {
      double sum = 0;
      for (int j = 0; j < p.n; ++j) sum += p(i, j) == 0 ? 0 : p(i, j) * v[j][c];
      y[i][c] = sum;
    }
  }
}

// Each score's exponential, less the greatest of its query, in the place of the score.
void exponentiate_once(Pairs& z) {
  const Pairs scores(z);
  for (int i = 0; i < z.n; ++i) {
    double greatest = -kInfinity;
    for_each_beside(scores, Over::keys, i, 0, [&](double one) { greatest = std::max(greatest, one); });
    for (int j = 0; j < z.n; ++j) z(i, j) = scores(i, j) == -kInfinity ? -kInfinity : std::exp(scores(i, j) - greatest);
  }
}

// What is left of a sum over the keys whose terms replace each other.
void keep_last_value(Pairs& weights) {
  for (int i = 0; i < weights.n; ++i) {
    for (int j = 0; j < i; ++j) weights(i, j) = 0;
  }
}

enum Wrong { after_softmax, axis, off_by_one, with_zero, not_applied, inverted, hides_itself, no_scale, divided_by_scale, scale_by_d,
             scale_by_length, no_max, over_all, not_normalised, exchanged, value_of_query, weights_transposed, by_size, max_from_zero, scale_by_e, exp_twice, last_value_alone, key_of_query, whole_root,
             hides_itself_to_nan, greatest_kept, max_of_all, sum_too_short, sum_kept };

bool visible(int i, int j, Made made) {
  if (made[not_applied]) return true;
  if (made[inverted]) return made[hides_itself] ? j > i : j >= i;
  return j <= i + (made[off_by_one] ? 1 : 0) - (made[hides_itself] || made[hides_itself_to_nan] ? 1 : 0);
}

double scale_of(int d, int length, int e, Made made) {
  const double n = made[scale_by_length] ? length : made[scale_by_e] ? e : d, exact = made[scale_by_d] ? n : std::sqrt(n);
  const double root = made[whole_root] ? std::floor(exact) : exact;
  if (made[no_scale]) return 1;
  return made[divided_by_scale] ? root : 1 / root;
}

// Weights that do not begin with a right maximum, or end with a right sum.
Pairs roughly_weighed(const Pairs& z, Made made) {
  Pairs p(z.n);
  double greatest = -kInfinity, before = -kInfinity, sum = 0;
  for (double one : z.numbers) greatest = std::max(greatest, one);
  for (int i = 0; i < z.n; ++i) {
    if (!made[sum_kept]) sum = 0;
    for (int j = 0; j < z.n; ++j) before = std::max(made[greatest_kept] || j > 0 ? before : -kInfinity, z(i, j));
    const double shift = made[max_of_all] ? greatest : before;
    for (int j = 0; j < z.n; ++j) sum += made[sum_too_short] && j == i ? 0 : std::exp(z(i, j) - shift);
    for (int j = 0; j < z.n; ++j) p(i, j) = z(i, j) == -kInfinity ? 0 : std::exp(z(i, j) - shift) / sum;
  }
  return p;
}

Outputs whole_with(const Probe& p, Made made) {
  const In q = p.in("q"), k = p.in("k"), v = p.in("v");
  const int n = q.rows, d = q.columns;
  Pairs z(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double one = product(made[exchanged] ? k[i] : q[i], made[exchanged] ? q[j] : k[made[key_of_query] ? i : j], d) * scale_of(d, n, v.columns, made);
      if (made[by_size]) one /= std::sqrt(product(q[i], q[i], d) * product(k[j], k[j], d));
      z(i, j) = visible(i, j, made) || made[after_softmax] ? one : made[with_zero] ? 0 : -kInfinity;
    }
  }
  const Over over = made[not_normalised] ? Over::nothing : made[over_all] ? Over::all : made[axis] ? Over::queries : Over::keys;
  if (made[exp_twice]) exponentiate_once(z);
  const bool roughly = made[greatest_kept] || made[max_of_all] || made[sum_too_short] || made[sum_kept];
  Pairs weights = roughly ? roughly_weighed(z, made) : softmax(z, over, made[no_max], made[max_from_zero] ? 0 : -kInfinity);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (made[after_softmax] && !visible(i, j, made)) weights(i, j) = 0;
    }
  }
  Pairs turned(weights);
  if (made[weights_transposed]) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) turned(i, j) = weights(j, i);
    }
  }
  if (made[last_value_alone]) keep_last_value(turned);
  Sheet sheet("y", p["v"].shape);
  const Out y = sheet.out();
  weigh(turned, v, y);
  if (made[hides_itself_to_nan]) std::fill_n(y[0], y.columns, std::nan(""));  // −∞ − −∞
  if (made[value_of_query]) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += turned(i, j);
      for (int c = 0; c < v.columns; ++c) y[i][c] = sum * v[i][c];
    }
  }
  return {sheet.array()};
}

enum WrongWindow { without_itself, window_short, window_ignored, window_both_sides, of_first_keys, cap_after_mask, cap_product, cap_ignored,
                   cap_before_scale, cap_undivided, cap_lost, cap_clamps, window_no_scale, window_scale_by_d, window_divided, window_scale_by_e, cap_after_greatest, window_last_value, window_key_of_query, window_whole_root,
                   window_not_normalised, window_with_zero, window_shifted, window_value_of_query, window_over_queries };

bool in_window(int i, int j, int window, Made made) {
  const int keys = window + (made[without_itself] ? 1 : 0) - (made[window_short] ? 1 : 0);
  if (made[window_shifted]) return j < i && i - j <= keys;
  if (made[of_first_keys]) return j <= i && j < keys;
  if (made[window_both_sides]) return std::abs(i - j) < keys;
  return j <= i && (made[window_ignored] || i - j < keys);
}

// q · k, divided by the root and capped.
double capped(double z, double root, double cap, Made made) {
  if (made[window_no_scale]) root = 1;
  if (made[window_scale_by_d]) root *= root;
  if (made[window_divided]) root = 1 / root;
  if (made[cap_before_scale]) return cap * std::tanh(z / cap) / root;
  z /= root;
  if (made[cap_ignored] || made[cap_after_greatest]) return z;
  if (made[cap_clamps]) return std::clamp(z, -cap, cap);
  const double bent = std::tanh(made[cap_undivided] ? z : z / cap);
  return made[cap_product] ? z * bent : made[cap_lost] ? bent : cap * bent;
}

// Each score less the greatest of its query, and then capped.
void cap_differences(Pairs& z, double cap) {
  for (int i = 0; i < z.n; ++i) {
    double greatest = -kInfinity;
    for (int j = 0; j < z.n; ++j) greatest = std::max(greatest, z(i, j));
    for (int j = 0; j < z.n; ++j) z(i, j) = z(i, j) == -kInfinity ? -kInfinity : cap * std::tanh((z(i, j) - greatest) / cap);
  }
}

Outputs window_with(const Probe& p, Made made) {
  const In q = p.in("q"), k = p.in("k"), v = p.in("v");
  const double cap = p.number("cap");
  Pairs z(q.rows);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < q.rows; ++j) {
      const bool seen = in_window(i, j, p.whole("window"), made);
      const double exact = std::sqrt(made[window_scale_by_e] ? v.columns : q.columns), root = made[window_whole_root] ? std::floor(exact) : exact;
      const double one = capped(product(q[i], k[made[window_key_of_query] ? i : j], q.columns), root, cap, made);
      z(i, j) = seen ? one : made[cap_after_mask] ? -cap : made[window_with_zero] ? 0 : -kInfinity;
    }
  }
  if (made[cap_after_greatest]) cap_differences(z, cap);
  Pairs weights = softmax(z, made[window_over_queries] ? Over::queries : made[window_not_normalised] ? Over::nothing : Over::keys, made[window_not_normalised]);
  if (made[window_last_value]) keep_last_value(weights);
  Sheet y("y", p["v"].shape);
  weigh(weights, v, y.out());
  if (made[window_value_of_query]) std::copy_n(v.numbers, v.rows * v.columns, y.out().numbers);  // whose weights sum to 1
  return {y.array()};
}

enum WrongHeads { scale_by_model, one_head, interleaved, values_of_first, weights_of_first, weights_averaged, heads_not_masked,
                  first_head_alone, block_by_block, rows_too_near, values_too_near, heads_last_value, keys_of_first, heads_whole_root, heads_too_near,
                  heads_no_scale, scale_by_heads, queries_of_first };

// Where number c of head h stands in row t.
int place_of(In x, int t, int h, int c, int heads, Made made) {
  const int d = x.columns / heads;
  if (made[block_by_block]) return (h * x.rows + t) * d + c;  // as if x were [heads, T, d]
  if (made[rows_too_near]) return h * d + t * d + c;          // as if a row had d numbers
  if (made[heads_too_near]) return t * x.columns + h + c;
  return t * x.columns + (made[interleaved] ? c * heads + h : h * d + c);
}

// The weights of head h: of its columns, as `made` takes them.
Pairs weights_of(const Probe& p, int h, int heads, Made made) {
  const In q = p.in("q"), k = p.in("k");
  const int d = q.columns / heads;
  Pairs z(q.rows);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < q.rows; ++j) {
      double sum = 0;
      for (int c = 0; c < d; ++c) sum += q.numbers[place_of(q, i, made[queries_of_first] ? 0 : h, c, heads, made)] * k.numbers[place_of(k, j, made[keys_of_first] ? 0 : h, c, heads, made)];
      const double exact = made[heads_no_scale] ? 1 : std::sqrt(made[scale_by_model] ? q.columns : made[scale_by_heads] ? heads : d), root = made[heads_whole_root] ? std::floor(exact) : exact;
      z(i, j) = j <= i || made[heads_not_masked] ? sum / root : -kInfinity;
    }
  }
  Pairs weights = softmax(z, Over::keys);
  if (made[heads_last_value]) keep_last_value(weights);
  return weights;
}

Outputs heads_with(const Probe& p, Made made) {
  const In v = p.in("v");
  const int heads = made[one_head] ? 1 : p.whole("heads"), d = v.columns / heads;
  std::vector<Pairs> weights;
  for (int h = 0; h < heads; ++h) weights.push_back(weights_of(p, h, heads, made));
  Pairs mean(v.rows);
  for (const Pairs& one : weights) {
    for (std::size_t at = 0; at < mean.numbers.size(); ++at) mean.numbers[at] += one.numbers[at] / heads;
  }
  Sheet sheet("y", p["v"].shape);
  const Out y = sheet.out();
  for (int at = 0; at < v.columns; ++at) {
    const int h = at / d, read = made[values_of_first] || made[first_head_alone] ? 0 : h;
    const Pairs& weight = made[weights_averaged] ? mean : weights[static_cast<std::size_t>(made[weights_of_first] || made[first_head_alone] ? 0 : h)];
    for (int i = 0; i < v.rows; ++i) {
      double sum = 0;
      for (int j = 0; j < v.rows; ++j) sum += weight(i, j) * v.numbers[made[values_too_near] ? j * v.columns + read + at % d : place_of(v, j, read, at % d, heads, made)];
      y.numbers[place_of(v, i, h, at % d, heads, Made(made).reset(heads_too_near))] = sum;
    }
  }
  return {sheet.array()};
}

struct Sizes {
  int length, d, e;
  double size = 1, mean_of_q = 0.3, mean_of_k = 0.3;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed, const std::vector<Array>& numbers = {}) {
  Probe p{name, {drawn("q", {s.length, s.d}, seed, s.size, s.mean_of_q), drawn("k", {s.length, s.d}, seed + 1, s.size, s.mean_of_k),
                 drawn("v", {s.length, s.e}, seed + 2, 1, 0.4)}};
  p.inputs.insert(p.inputs.end(), numbers.begin(), numbers.end());
  return p;
}

std::vector<Probe> probes() {
  return {probe("three tokens of 2 numbers", {3, 2, 2, 1.5}, 161), probe("five tokens of 4 numbers, with values of 3", {5, 4, 3, 1.3}, 164),
          probe("seven tokens of 6 numbers, with values of 2", {7, 6, 2, 1.2}, 167),
          probe("four tokens with scores in the thousands", {4, 3, 5, 60}, 171),
          probe("four tokens with scores below −1000", {4, 5, 3, 3, 8, -8}, 173)};
}

std::vector<Probe> probes_of_window() {
  const auto one = [](const std::string& name, const Sizes& sizes, int window, double cap, std::uint64_t seed) {
    return probe(name, sizes, seed, {number("window", window), number("cap", cap)});
  };
  return {one("three tokens of 2 numbers, a window of 2", {3, 2, 2, 1.5}, 2, 1, 181),
          one("six tokens of 4 numbers, a window of 3", {6, 4, 3, 1.5}, 3, 2, 184),
          one("five tokens, a window of 7, a cap of 50", {5, 3, 2, 6}, 7, 50, 187),
          one("seven tokens with scores of size 60, a window of 4, a cap of 1.5", {7, 5, 2, 8}, 4, 1.5, 190)};
}

std::vector<Probe> probes_of_heads() {
  const auto one = [](const std::string& name, int length, int heads, int d, std::uint64_t seed) {
    return probe(name, {length, heads * d, heads * d, 1.4}, seed, {number("heads", heads)});
  };
  return {one("three tokens, 2 heads of 2 numbers", 3, 2, 2, 201), one("five tokens, 3 heads of 4 numbers", 5, 3, 4, 204),
          one("four tokens, 2 heads of 3 numbers", 4, 2, 3, 207)};
}

Tensor of(const Probe& p, const char* name, int64_t heads) {
  const Tensor x = tensor_of(p[name]);
  return reshape(x, {1, x.size(0), heads, x.size(1) / heads});
}

Outputs right_with(const Probe& p, int64_t heads, const nn::ScaledDotOptions& options) {
  const Tensor y = nn::attention(of(p, "q", heads), of(p, "k", heads), of(p, "v", heads), options);
  return {array_of("y", reshape(y, tensor_of(p["v"]).shape()))};
}

Outputs right_whole(const Probe& p) { return right_with(p, 1, {.causal = true}); }
Outputs right_window(const Probe& p) { return right_with(p, 1, {.causal = true, .window = p.whole("window"), .softcap = p.number("cap")}); }
Outputs right_heads(const Probe& p) { return right_with(p, p.whole("heads"), {.causal = true}); }

std::string first_sees_itself(const Probe& p, const Outputs& outputs) {
  const In v = p.in("v");
  for (int c = 0; c < v.columns; ++c) {
    const double y = outputs[0].numbers[static_cast<std::size_t>(c)];
    if (!(std::abs(y - v[0][c]) <= 1e-6 * std::abs(v[0][c]))) return fmt::format("y[0][{}] is {}, v[0][{}] is {}", c, beside(y, v[0][c]), c, beside(v[0][c], y));
  }
  return "";
}

// A mean of what a query sees, from the key i − reach to its own.
std::string between(const Probe& p, const Outputs& outputs, int reach) {
  const In v = p.in("v");
  for (int i = 0; i < v.rows; ++i) {
    for (int c = 0; c < v.columns; ++c) {
      double least = v[i][c], most = v[i][c];
      for (int j = std::max(0, i - reach); j <= i; ++j) least = std::min(least, v[j][c]), most = std::max(most, v[j][c]);
      const double y = outputs[0].numbers[static_cast<std::size_t>(i * v.columns + c)];
      if (!(y >= least - 1e-6 && y <= most + 1e-6)) {
        return fmt::format("y[{}][{}] is {}, and the values are from {} to {}", i, c, beside(y, y < least ? least : most), beside(least, y), beside(most, y));
      }
    }
  }
  return "";
}

std::string between_seen(const Probe& p, const Outputs& outputs) { return between(p, outputs, rows_of(p["v"])); }
std::string between_in_window(const Probe& p, const Outputs& outputs) { return between(p, outputs, p.whole("window")); }

Stage whole_stage() {
  return {
      .function = "attention",
      .right = right_whole,
      .with = whole_with,
      .mistakes =
          {
              {after_softmax, "attn/mask-after-softmax", "To what do the weights sum that the first query gives to what it may see?"},
              {axis, "softmax/axis", "Whose weights sum to 1: those that one query gives, or those that one key gets?"},
              {off_by_one, "attn/mask-off-by-one", "How many keys does the first query see?"},
              {with_zero, "attn/mask-with-zero", "Which weight does a score of 0 give a key?"},
              {not_applied, "attn/mask-not-applied", "How many keys does the first query see?"},
              {inverted, "attn/mask-inverted", "May the first query see the last key? May the last see the first?", "each query sees itself and what comes later"},
              {hides_itself, "attn/mask-hides-itself", "What does the first query see?", "a query sees only what came before it, not itself"},
              {no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
              {divided_by_scale, "attn/divided-by-scale", "Should a larger d make the scores larger?"},
              {scale_by_d, "attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?", "divided by d, not by its root"},
              {scale_by_length, "attn/scale-by-length", "Of how many products is a score the sum?", "divided by the root of the number of tokens, not of d"},
              {no_max, "softmax/no-max", "What is exp(1000)? And what is exp(1000) / exp(1000)?", "exp of the scores as they are", "mxnet-the-straight-dope#3, nupic PR3818"},
              {over_all, "attn/softmax-over-all", "To what do the weights of one query sum?", "one sum for all queries"},
              {not_normalised, "attn/not-normalised", "To what do the weights of one query sum?", "the weights are not divided by their sum"},
              {exchanged, "attn/query-and-key-exchanged", "Whose row of P is it: the one who asks, or the one who is asked?", "the scores are k_i · q_j"},
              {value_of_query, "attn/value-of-query", "Whose values does a query take the mean of?", "the weights multiply v_i, where v_j is meant"},
              {weights_transposed, "attn/weights-transposed", "Is the sum over the second index of P, or over the first?", "y = Pᵀ v"},
              {by_size, "attn/cosine", "Twice as long a query: do its weights change?", "the scores are divided by the lengths of query and key as well"},
              {max_from_zero, "softmax/max-with-zero", "What is the greatest score of a query whose scores are all −800?"},
              {scale_by_e, "attn/scale-by-value-width", "Of how many products is a score the sum: one for each number of a key, or of a value?", "divided by √e, with e the width of the values"},
              {exp_twice, "attn/exponential-twice", "How often is the exponential taken of one score?", "softmax of what are exponentials already"},
              {last_value_alone, "attn/last-value-alone", "How many terms go into one number of y?", "y has the last value only: each term replaces what was summed before it (= for +=)"},
              {key_of_query, "attn/key-of-query", "Whose key is it: the one who asks, or the one who is asked?", "q_i · k_i: all scores of a query are alike"},
              {whole_root, "attn/whole-root", "What is the root of 6 as an int?", "√d as a whole number"},
              {hides_itself_to_nan, "attn/mask-hides-itself", "What does the first query see?"},
              {greatest_kept, "attn/greatest-not-reset", "What does your maximum hold when the second query begins?", "the greatest score of the queries before is kept"},
              {max_of_all, "softmax/max-of-all", "What is left of a query whose scores are all 1000 below the greatest of another query?"},
              {sum_too_short, "attn/sum-without-itself", "How many terms has the sum of the first query's exponentials?", "the sum below ends before the query's own key"},
              {sum_kept, "attn/sum-not-reset", "What does your sum hold when the second query begins?", "the sum of the exponentials is not set to 0 for each query"},
          },
      .probes = probes(),
      .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself, "Over which keys do your two sums go for the first query?"},
               {"a mean lies between the least and the greatest of what it is made of", between_seen, "To what do the weights of one query sum, and are they those of the keys it sees?"}},
      .hints = {"The first query sees one key only. So what is the first row of y, whatever q and k are?",
                "Everything happens within one query: its scores, the greatest of them, the sum of the exponentials, the mean of the values.",
                "All scores of a query may be moved by the same number: its weights stay. So move them until the greatest is 0.",
                "With m the greatest z_ij of row i: P_ij = exp(z_ij − m) / Σ_j exp(z_ij − m), and j goes from 0 to i."},
  };
}

Stage window_stage() {
  return {
      .function = "attention_in_window",
      .right = right_window,
      .with = window_with,
      .mistakes =
          {
              {without_itself, "attn/window-without-itself", "How many keys does the last query see, if the window is 2?", "a query sees its own key and `window` before it, which is one too many", "transformers#39408, mlx-lm PR390, axlearn PR1009, vllm#3385"},
              {window_short, "attn/window-too-short", "How many keys does the last query see, if the window is 2?", "each query sees one key too few"},
              {window_ignored, "attn/window-ignored", "Does the last query still see the first key?", "every key before is seen, whatever the window is"},
              {window_both_sides, "attn/window-both-sides", "Does the first query see the second key?", "the window reaches as far to later keys"},
              {of_first_keys, "attn/window-of-first-keys", "Does the window move with the query?", "the window is the first keys, for every query"},
              {cap_after_mask, "attn/softcap-after-mask", "What is tanh(−∞), and which weight does it give?", "hidden scores of −∞ go through the cap and become −cap", "onnx#7865, flash-attention PR1025"},
              {cap_product, "attn/softcap-product", "How large can a score become?", "z · tanh(z / cap), where cap · tanh(z / cap) is meant", "unsloth-zoo PR593"},
              {cap_ignored, "attn/softcap-ignored", "How large can a score become?", "the scores are not capped"},
              {cap_before_scale, "attn/softcap-before-scale", "Which comes first, the root of d or the cap?", "q · k is capped, and then divided by √d"},
              {cap_undivided, "attn/softcap-undivided", "What should become of a score that is small beside the cap?", "cap · tanh(z): z is not divided by the cap"},
              {cap_lost, "attn/softcap-lost", "What should become of a score that is small beside the cap?", "tanh(z / cap): not multiplied by the cap"},
              {cap_clamps, "attn/softcap-clamps", "Is the way to the cap smooth, or does it have a corner?", "scores are cut off at ±cap"},
              {window_no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
              {window_scale_by_d, "attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?", "divided by d, not by its root"},
              {window_divided, "attn/divided-by-scale", "Should a larger d make the scores larger?"},
              {window_scale_by_e, "attn/scale-by-value-width", "Of how many products is a score the sum: one for each number of a key, or of a value?"},
              {cap_after_greatest, "attn/softcap-after-maximum", "After the greatest score is subtracted, is z still what the cap is made for?", "the greatest score is subtracted first, and then the difference is capped"},
              {window_last_value, "attn/last-value-alone", "How many terms go into one number of y?"},
              {window_key_of_query, "attn/key-of-query", "Whose key is it: the one who asks, or the one who is asked?"},
              {window_whole_root, "attn/whole-root", "What is the root of 6 as an int?"},
              {window_not_normalised, "attn/not-normalised", "To what do the weights of one query sum?"},
              {window_with_zero, "attn/mask-with-zero", "Which weight does a score of 0 give a key?"},
              {window_shifted, "attn/mask-hides-itself", "What does the first query see?"},
              {window_value_of_query, "attn/value-of-query", "Whose values does a query take the mean of?"},
              {window_over_queries, "softmax/axis", "Whose weights sum to 1: those that one query gives, or those that one key gets?"},
          },
      .probes = probes_of_window(),
      .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself, "Over which keys do your two sums go for the first query?"},
               {"a mean lies between the least and the greatest of what it is made of", between_in_window, "To what do the weights of one query sum, and where does its window begin?"}},
      .hints = {"If the window is 2, which keys does query 5 see? And query 0?",
                "Two things change: where j begins, and what becomes of a score before its exponential.",
                "No score is larger than the cap, and one that is small beside the cap stays nearly as it is.",
                "j goes from max(0, i − window + 1) to i, and the score is cap · tanh(z / cap), where z has been divided by √d before."},
  };
}

Stage heads_stage() {
  return {
      .function = "attention_of_heads",
      .right = right_heads,
      .with = heads_with,
      .mistakes =
          {
              {scale_by_model, "attn/scale-by-model", "Of how many products is a head's score the sum?"},
              {one_head, "attn/one-head", "How many weights does a query give to one key?", "one attention on all columns, not one for each head"},
              {interleaved, "attn/heads-interleaved", "Which columns are the first head's?", "head h takes the columns h, h + heads, …"},
              {values_of_first, "attn/values-of-first-head", "Which columns of v are the second head's?", "every head weighs the first head's values"},
              {weights_of_first, "attn/weights-of-first-head", "Does each head make its own weights?", "every head uses the first head's weights"},
              {weights_averaged, "attn/weights-averaged", "Does each head make its own weights?", "every head uses the mean of all heads' weights"},
              {heads_not_masked, "attn/mask-not-applied", "How many keys does the first query see?"},
              {first_head_alone, "attn/first-head-repeated", "Which columns are the second head's?", "every head is the first head again"},
              {block_by_block, "attn/split-without-transpose", "In memory, how far is it from a head's first row to its second?"},
              {rows_too_near, "attn/rows-too-near", "In memory, how far is it from a head's first row to its second?", "a head's rows are taken d numbers apart, where they are heads · d apart"},
              {values_too_near, "attn/head-columns-too-near", "Where do the second head's columns begin?", "v[t][h + c], where v[t][h · d + c] is meant"},
              {heads_last_value, "attn/last-value-alone", "How many terms go into one number of y?"},
              {keys_of_first, "attn/keys-of-first-head", "Which columns of k are the second head's?", "every head asks the first head's keys"},
              {heads_whole_root, "attn/whole-root", "What is the root of 6 as an int?"},
              {heads_too_near, "attn/head-columns-too-near", "Where do the second head's columns begin?"},
              {heads_no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
              {scale_by_heads, "attn/scale-by-heads", "Of how many products is a head's score the sum?", "divided by the root of the number of heads, not of d"},
              {queries_of_first, "attn/queries-of-first-head", "Which columns of q are the second head's?", "every head asks with the first head's queries"},
          },
      .probes = probes_of_heads(),
      .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself, "Over which keys do your two sums go for the first query?"},
               {"a mean lies between the least and the greatest of what it is made of", between_seen, "To what do the weights of one query sum, and are they those of the keys it sees?"}},
      .hints = {"With two heads, how many weights does a query give to one key?",
                "A head is all of attention, on its own columns of q, k and v, into the same columns of y. In memory its next row is heads · d numbers further.",
                "Change a number in one head's columns, and the other heads' columns of y stay as they are.",
                "Head h has the columns from h · d to h · d + d − 1, with d = q.columns / heads; its scores are divided by the root of this d."},
  };
}

}  // namespace
}  // namespace in_attention

Functions attention(void (*whole)(In, In, In, Out), void (*in_window)(In, In, In, int, double, Out), void (*of_heads)(In, In, In, int, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", p["v"].shape);
            whole(p.in("q"), p.in("k"), p.in("v"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet y("y", p["v"].shape);
            in_window(p.in("q"), p.in("k"), p.in("v"), p.whole("window"), p.number("cap"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet y("y", p["v"].shape);
            of_heads(p.in("q"), p.in("k"), p.in("v"), p.whole("heads"), y.out());
            return Outputs{y.array()};
          }};
}

Exercise attention_exercise() {
  return {
      .number = 16,
      .id = "attention",
      .title = "Causal attention, a window, a cap, and heads",
      .section = "ch07.md#attn-scaled-dot",
      .needs = {"softmax"},
      .minutes = 40,
      .done = "What a query must not see has no part in the sum below, either: a mask that comes after softmax forgets that.",
      .stages = {in_attention::whole_stage(), in_attention::window_stage(), in_attention::heads_stage()},
      .also = {"ch07.md#attn-causal-mask", "ch07.md#attn-sliding-window", "ch07.md#attn-softcap", "ch07.md#attn-multi-head"},
  };
}

}  // namespace gradus::exercises::set
