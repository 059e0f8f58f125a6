// Exercise 16, attention: each query's mean of the values, weighted by how well it fits the keys.   docs/ch07.md#attn-scaled-dot
//
//   z_ij = q_i · k_j / √d      P_ij = exp z_ij / Σ_j exp z_ij      y_i = Σ_j P_ij v_j      with j = 0 … i in both sums
//
// q and k are [T, d], v and y [T, e]. A query sees the key at its own place and those before it, and no later one.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
// See also docs/ch07.md#attn-causal-mask, docs/ch07.md#attn-sliding-window, docs/ch07.md#attn-softcap,
//   docs/ch07.md#attn-multi-head.
//! title: Causal attention, a window, a cap, and heads
//! minutes: 40
//! needs: softmax
//! done: What a query must not see has no part in the sum below, either: a mask that comes after softmax forgets that.
#include <vector>

#include "examples/exercises/rows.h"

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

void attention(In q, In k, In v, Out y) {
  // blank: scores, weights, mean. Scores may be 1000 and more: exp(1000) is ∞
  //! The first query sees one key only. So what is the first row of y, whatever q and k are?
  //! Everything happens within one query: its scores, the greatest of them, the sum of the exponentials, the mean of the values.
  //! All scores of a query may be moved by the same number: its weights stay. So move them until the greatest is 0.
  //! With m the greatest z_ij of row i: P_ij = exp(z_ij − m) / Σ_j exp(z_ij − m), and j goes from 0 to i.
  //+ const auto score = [&](int i, int j) { return dot(q[i], k[j], q.columns) / std::sqrt(q.columns); };
  std::vector<double> weight(k.rows);
  //+ double greatest_before = -INFINITY, sum_before = 0;
  //+
  //~ 17 attn/weights-transposed:
  //| for (int i = 0; i < q.rows; ++i) {
  //|   for (int c = 0; c < v.columns; ++c) y[i][c] = 0;
  //| }
  //| for (int i = 0; i < q.rows; ++i) {
  //|   double greatest = -INFINITY, sum = 0;
  //|   for (int j = 0; j <= i; ++j) greatest = std::max(greatest, score(i, j));
  //|   for (int j = 0; j <= i; ++j) sum += weight[j] = std::exp(score(i, j) - greatest);
  //|   for (int j = 0; j <= i; ++j) {
  //|     for (int c = 0; c < v.columns; ++c) y[j][c] += weight[j] / sum * v[i][c];
  //|   }
  //| }
  //| return;
  //? Is the sum over the second index of P, or over the first?
  //= y = Pᵀ v
  for (int i = 0; i < q.rows; ++i) {
    const int seen = i + 1;  // the keys before it, and its own
    //~ 1 attn/mask-after-softmax: const int seen = k.rows;
    //? To what do the weights sum that the first query gives to what it may see?
    //~ 3 attn/mask-off-by-one: const int seen = std::min(i + 2, k.rows);
    //? How many keys does the first query see?
    //~ 4 attn/mask-with-zero: const int seen = k.rows;
    //? Which weight does a score of 0 give a key?
    //~ 5 attn/mask-not-applied: const int seen = k.rows;
    //? How many keys does the first query see?
    //~ 6 attn/mask-inverted: const int seen = k.rows;
    //? May the first query see the last key? May the last see the first?
    //= each query sees itself and what comes later
    //~ 7 attn/mask-hides-itself: const int seen = i;
    //? What does the first query see?
    //= a query sees only what came before it, not itself
    double greatest = -INFINITY, sum = 0;
    //~ 19 softmax/max-with-zero: double greatest = 0, sum = 0;
    //? What is the greatest score of a query whose scores are all −800?
    //~ 26 attn/greatest-not-reset: double greatest = greatest_before, sum = 0;
    //? What does your maximum hold when the second query begins?
    //= the greatest score of the queries before is kept
    //~ 29 attn/sum-not-reset: double greatest = -INFINITY, sum = sum_before;
    //? What does your sum hold when the second query begins?
    //= the sum of the exponentials is not set to 0 for each query
    for (int j = 0; j < seen; ++j) {
      weight[j] = dot(q[i], k[j], q.columns) / std::sqrt(q.columns);
      //~ also attn/mask-with-zero: weight[j] = j <= i ? dot(q[i], k[j], q.columns) / std::sqrt(q.columns) : 0;
      //~ also attn/mask-inverted: weight[j] = j >= i ? dot(q[i], k[j], q.columns) / std::sqrt(q.columns) : -INFINITY;
      //~ 8 attn/no-scale: weight[j] = dot(q[i], k[j], q.columns);
      //? How large are the scores if d is four times as large?
      //~ 9 attn/divided-by-scale: weight[j] = dot(q[i], k[j], q.columns) * std::sqrt(q.columns);
      //? Should a larger d make the scores larger?
      //~ 10 attn/scale-by-d: weight[j] = dot(q[i], k[j], q.columns) / q.columns;
      //? Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?
      //= divided by d, not by its root
      //~ 11 attn/scale-by-length: weight[j] = dot(q[i], k[j], q.columns) / std::sqrt(k.rows);
      //? Of how many products is a score the sum?
      //= divided by the root of the number of tokens, not of d
      //~ 15 attn/query-and-key-exchanged: weight[j] = dot(k[i], q[j], q.columns) / std::sqrt(q.columns);
      //? Whose row of P is it: the one who asks, or the one who is asked?
      //= the scores are k_i · q_j
      //~ 18 attn/cosine: weight[j] = score(i, j) / std::sqrt(dot(q[i], q[i], q.columns) * dot(k[j], k[j], q.columns));
      //? Twice as long a query: do its weights change?
      //= the scores are divided by the lengths of query and key as well
      //~ 20 attn/scale-by-value-width: weight[j] = dot(q[i], k[j], q.columns) / std::sqrt(v.columns);
      //? Of how many products is a score the sum: one for each number of a key, or of a value?
      //= divided by √e, with e the width of the values
      //~ 23 attn/key-of-query: weight[j] = dot(q[i], k[i], q.columns) / std::sqrt(q.columns);
      //? Whose key is it: the one who asks, or the one who is asked?
      //= q_i · k_i: all scores of a query are alike
      //~ 24 attn/whole-root: weight[j] = dot(q[i], k[j], q.columns) / std::floor(std::sqrt(q.columns));
      //? What is the root of 6 as an int?
      //= √d as a whole number
      //~ 25 attn/mask-hides-itself: weight[j] = j < i ? dot(q[i], k[j], q.columns) / std::sqrt(q.columns) : -INFINITY;
      greatest = std::max(greatest, weight[j]);
    }
    for (int j = 0; j < seen; ++j) sum += weight[j] = std::exp(weight[j] - greatest);
    //~ 2 softmax/axis:
    //| sum = 1;
    //| for (int j = 0; j < seen; ++j) {
    //|   double down = 0;
    //|   for (int a = j; a < q.rows; ++a) down += std::exp(score(a, j) - weight[j]);
    //|   weight[j] = 1 / down;
    //| }
    //? Whose weights sum to 1: those that one query gives, or those that one key gets?
    //~ 12 softmax/no-max: for (int j = 0; j < seen; ++j) sum += weight[j] = std::exp(weight[j]);
    //? What is exp(1000)? And what is exp(1000) / exp(1000)?
    //= exp of the scores as they are
    //@ mxnet-the-straight-dope#3, nupic PR3818
    //~ 13 attn/softmax-over-all:
    //| for (int a = 0; a < q.rows; ++a) {
    //|   for (int j = 0; j <= a; ++j) sum += std::exp(score(a, j) - greatest);
    //| }
    //| for (int j = 0; j < seen; ++j) weight[j] = std::exp(weight[j] - greatest);
    //? To what do the weights of one query sum?
    //= one sum for all queries
    //~ 21 attn/exponential-twice: for (int j = 0; j < seen; ++j) sum += weight[j] = std::exp(std::exp(weight[j] - greatest));
    //? How often is the exponential taken of one score?
    //= softmax of what are exponentials already
    //~ 27 softmax/max-of-all:
    //| for (int a = 0; a < q.rows; ++a) {
    //|   for (int j = 0; j <= a; ++j) greatest = std::max(greatest, score(a, j));
    //| }
    //| for (int j = 0; j < seen; ++j) sum += weight[j] = std::exp(weight[j] - greatest);
    //? What is left of a query whose scores are all 1000 below the greatest of another query?
    //~ 28 attn/sum-without-itself:
    //| for (int j = 0; j < seen; ++j) weight[j] = std::exp(weight[j] - greatest);
    //| for (int j = 0; j < i; ++j) sum += weight[j];
    //? How many terms has the sum of the first query's exponentials?
    //= the sum below ends before the query's own key
    //+ greatest_before = greatest, sum_before = sum;
    for (int c = 0; c < v.columns; ++c) {
      y[i][c] = 0;
      for (int j = 0; j < seen; ++j) y[i][c] += weight[j] / sum * v[j][c];
      //~ also attn/mask-after-softmax: for (int j = 0; j <= i; ++j) y[i][c] += weight[j] / sum * v[j][c];
      //~ 14 attn/not-normalised: for (int j = 0; j < seen; ++j) y[i][c] += weight[j] * v[j][c];
      //? To what do the weights of one query sum?
      //= the weights are not divided by their sum
      //~ 16 attn/value-of-query: for (int j = 0; j < seen; ++j) y[i][c] += weight[j] / sum * v[i][c];
      //? Whose values does a query take the mean of?
      //= the weights multiply v_i, where v_j is meant
      //~ 22 attn/last-value-alone: for (int j = 0; j < seen; ++j) y[i][c] = weight[j] / sum * v[j][c];
      //? How many terms go into one number of y?
      //= y has the last value only: each term replaces what was summed before it (= for +=)
    }
  }
  // end
}

// A query sees `window` keys, its own and the last ones before it (fewer at the beginning), and its scores are
// cap · tanh(z / cap).
void attention_in_window(In q, In k, In v, int window, double cap, Out y) {
  // blank: as above; what changes, and where?
  //! If the window is 2, which keys does query 5 see? And query 0?
  //! Two things change: where j begins, and what becomes of a score before its exponential.
  //! No score is larger than the cap, and one that is small beside the cap stays nearly as it is.
  //! j goes from max(0, i − window + 1) to i, and the score is cap · tanh(z / cap), where z has been divided by √d before.
  std::vector<double> weight(k.rows);
  for (int i = 0; i < q.rows; ++i) {
    const int first = std::max(0, i - window + 1), last = i;
    //~ 1 attn/window-without-itself: const int first = std::max(0, i - window), last = i;
    //? How many keys does the last query see, if the window is 2?
    //= a query sees its own key and `window` before it, which is one too many
    //@ transformers#39408, mlx-lm PR390, axlearn PR1009, vllm#3385
    //~ 2 attn/window-too-short: const int first = std::max(0, i - window + 2), last = i;
    //? How many keys does the last query see, if the window is 2?
    //= each query sees one key too few
    //~ 3 attn/window-ignored: const int first = 0, last = i;
    //? Does the last query still see the first key?
    //= every key before is seen, whatever the window is
    //~ 4 attn/window-both-sides: const int first = std::max(0, i - window + 1), last = std::min(i + window, k.rows) - 1;
    //? Does the first query see the second key?
    //= the window reaches as far to later keys
    //~ 5 attn/window-of-first-keys: const int first = 0, last = std::min(i, window - 1);
    //? Does the window move with the query?
    //= the window is the first keys, for every query
    //~ 6 attn/softcap-after-mask: const int first = 0, last = k.rows - 1;
    //? What is tanh(−∞), and which weight does it give?
    //= hidden scores of −∞ go through the cap and become −cap
    //@ onnx#7865, flash-attention PR1025
    //~ 22 attn/mask-with-zero: const int first = 0, last = k.rows - 1;
    //~ 23 attn/mask-hides-itself: const int first = std::max(0, i - window), last = i - 1;
    //+ const auto score = [&](int a, int j) { return dot(q[a], k[j], q.columns) / std::sqrt(q.columns); };
    //+ double greatest = -INFINITY, greatest_product = 0;
    //+ for (int j = first; j <= last; ++j) {
    //+   greatest = std::max(greatest, score(i, j));
    //+   greatest_product = std::max(greatest_product, score(i, j) * std::tanh(score(i, j) / cap));
    //+ }
    double sum = 0;
    for (int j = first; j <= last; ++j) {
      const double z = dot(q[i], k[j], q.columns) / std::sqrt(q.columns);
      //~ 13 attn/no-scale: const double z = dot(q[i], k[j], q.columns);
      //~ 14 attn/scale-by-d: const double z = dot(q[i], k[j], q.columns) / q.columns;
      //= divided by d, not by its root
      //~ 15 attn/divided-by-scale: const double z = dot(q[i], k[j], q.columns) * std::sqrt(q.columns);
      //~ 16 attn/scale-by-value-width: const double z = dot(q[i], k[j], q.columns) / std::sqrt(v.columns);
      //~ 19 attn/key-of-query: const double z = dot(q[i], k[i], q.columns) / std::sqrt(q.columns);
      //~ 20 attn/whole-root: const double z = dot(q[i], k[j], q.columns) / std::floor(std::sqrt(q.columns));
      weight[j] = std::exp(cap * std::tanh(z / cap));  // e^cap at most
      //~ also attn/softcap-after-mask: weight[j] = j <= i && i - j < window ? std::exp(cap * std::tanh(z / cap)) : std::exp(-cap);
      //~ also attn/mask-with-zero: weight[j] = j <= i && i - j < window ? std::exp(cap * std::tanh(z / cap)) : 1;
      //~ 7 attn/softcap-product: weight[j] = std::exp(z * std::tanh(z / cap) - greatest_product);
      //? How large can a score become?
      //= z · tanh(z / cap), where cap · tanh(z / cap) is meant
      //@ unsloth-zoo PR593
      //~ 8 attn/softcap-ignored: weight[j] = std::exp(z - greatest);
      //? How large can a score become?
      //= the scores are not capped
      //~ 9 attn/softcap-before-scale: weight[j] = std::exp(cap * std::tanh(dot(q[i], k[j], q.columns) / cap) / std::sqrt(q.columns));
      //? Which comes first, the root of d or the cap?
      //= q · k is capped, and then divided by √d
      //~ 10 attn/softcap-undivided: weight[j] = std::exp(cap * std::tanh(z));
      //? What should become of a score that is small beside the cap?
      //= cap · tanh(z): z is not divided by the cap
      //~ 11 attn/softcap-lost: weight[j] = std::exp(std::tanh(z / cap));
      //? What should become of a score that is small beside the cap?
      //= tanh(z / cap): not multiplied by the cap
      //~ 12 attn/softcap-clamps: weight[j] = std::exp(std::clamp(z, -cap, cap));
      //? Is the way to the cap smooth, or does it have a corner?
      //= scores are cut off at ±cap
      //~ 17 attn/softcap-after-maximum: weight[j] = std::exp(cap * std::tanh((z - greatest) / cap));
      //? After the greatest score is subtracted, is z still what the cap is made for?
      //= the greatest score is subtracted first, and then the difference is capped
      //~ 25 softmax/axis:
      //| double down = 0;
      //| for (int a = j; a < std::min(j + window, q.rows); ++a) down += std::exp(cap * std::tanh(score(a, j) / cap));
      //| weight[j] = std::exp(cap * std::tanh(z / cap)) / down;
      sum += weight[j];
    }
    for (int c = 0; c < v.columns; ++c) {
      y[i][c] = 0;
      for (int j = first; j <= last; ++j) y[i][c] += weight[j] / sum * v[j][c];
      //~ 18 attn/last-value-alone: for (int j = first; j <= last; ++j) y[i][c] = weight[j] / sum * v[j][c];
      //~ 21 attn/not-normalised: for (int j = first; j <= last; ++j) y[i][c] += weight[j] * v[j][c];
      //~ 24 attn/value-of-query: for (int j = first; j <= last; ++j) y[i][c] += weight[j] / sum * v[i][c];
      //~ also softmax/axis: for (int j = first; j <= last; ++j) y[i][c] += weight[j] * v[j][c];
    }
  }
  // end
}

// q, k, v and y are [T, heads · d]: head h is an attention on the columns from h · d to h · d + d − 1.
void attention_of_heads(In q, In k, In v, int heads, Out y) {
  // blank: an attention for each head
  //! With two heads, how many weights does a query give to one key?
  //! A head is all of attention, on its own columns of q, k and v, into the same columns of y. In memory its next row is heads · d numbers
  //!   further.
  //! Change a number in one head's columns, and the other heads' columns of y stay as they are.
  //! Head h has the columns from h · d to h · d + d − 1, with d = q.columns / heads; its scores are divided by the root of this d.
  //~ 2 attn/one-head: heads = 1;
  //? How many weights does a query give to one key?
  //= one attention on all columns, not one for each head
  //~ 16 attn/no-scale: attention_made.set(7);
  //~ 7 attn/mask-not-applied: attention_made.set(4);
  //~ 12 attn/last-value-alone: attention_made.set(21);
  //~ 14 attn/whole-root: attention_made.set(23);
  const int d = q.columns / heads;
  const auto own = [&](In x, int h) {
    std::vector<double> numbers;
    for (int t = 0; t < x.rows; ++t) {
      for (int c = 0; c < d; ++c) numbers.push_back(x[t][h * d + c]);
      //~ 3 attn/heads-interleaved: for (int c = 0; c < d; ++c) numbers.push_back(x[t][c * heads + h]);
      //? Which columns are the first head's?
      //= head h takes the columns h, h + heads, …
      //~ 9 attn/split-without-transpose: for (int c = 0; c < d; ++c) numbers.push_back(x[0][(h * x.rows + t) * d + c]);
      //? In memory, how far is it from a head's first row to its second?
      //~ 10 attn/rows-too-near: for (int c = 0; c < d; ++c) numbers.push_back(x[0][(h + t) * d + c]);
      //? In memory, how far is it from a head's first row to its second?
      //= a head's rows are taken d numbers apart, where they are heads · d apart
      //~ 15 attn/head-columns-too-near: for (int c = 0; c < d; ++c) numbers.push_back(x[t][h + c]);
      //? Where do the second head's columns begin?
    }
    return numbers;
  };
  //+ const auto times = [](std::vector<double> numbers, double factor) {
  //+   for (double& one : numbers) one *= factor;
  //+   return numbers;
  //+ };
  //+ const auto near = [&](In x, int h) {
  //+   std::vector<double> numbers;
  //+   for (int t = 0; t < x.rows; ++t) numbers.insert(numbers.end(), x[t] + h, x[t] + h + d);
  //+   return numbers;
  //+ };
  for (int h = 0; h < heads; ++h) {
    const auto of_q = own(q, h), of_k = own(k, h), of_v = own(v, h);
    //~ 1 attn/scale-by-model: const auto of_q = times(own(q, h), std::sqrt(1.0 * d / q.columns)), of_k = own(k, h), of_v = own(v, h);
    //? Of how many products is a head's score the sum?
    //~ 17 attn/scale-by-heads: const auto of_q = times(own(q, h), std::sqrt(1.0 * d / heads)), of_k = own(k, h), of_v = own(v, h);
    //? Of how many products is a head's score the sum?
    //= divided by the root of the number of heads, not of d
    //~ 4 attn/values-of-first-head: const auto of_q = own(q, h), of_k = own(k, h), of_v = own(v, 0);
    //? Which columns of v are the second head's?
    //= every head weighs the first head's values
    //~ 5 attn/weights-of-first-head: const auto of_q = own(q, 0), of_k = own(k, 0), of_v = own(v, h);
    //? Does each head make its own weights?
    //= every head uses the first head's weights
    //~ 8 attn/first-head-repeated: const auto of_q = own(q, 0), of_k = own(k, 0), of_v = own(v, 0);
    //? Which columns are the second head's?
    //= every head is the first head again
    //~ 11 attn/head-columns-too-near: const auto of_q = own(q, h), of_k = own(k, h), of_v = near(v, h);
    //= v[t][h + c], where v[t][h · d + c] is meant
    //~ 13 attn/keys-of-first-head: const auto of_q = own(q, h), of_k = own(k, 0), of_v = own(v, h);
    //? Which columns of k are the second head's?
    //= every head asks the first head's keys
    //~ 18 attn/queries-of-first-head: const auto of_q = own(q, 0), of_k = own(k, h), of_v = own(v, h);
    //? Which columns of q are the second head's?
    //= every head asks with the first head's queries
    std::vector<double> of_y(of_q.size());
    attention({q.rows, d, of_q.data()}, {k.rows, d, of_k.data()}, {v.rows, d, of_v.data()}, {y.rows, d, of_y.data()});
    //~ 6 attn/weights-averaged:
    //| for (int g = 0; g < heads; ++g) {
    //|   const auto g_q = own(q, g), g_k = own(k, g);
    //|   std::vector<double> part(of_y.size());
    //|   attention({q.rows, d, g_q.data()}, {k.rows, d, g_k.data()}, {v.rows, d, of_v.data()}, {y.rows, d, part.data()});
    //|   for (std::size_t at = 0; at < part.size(); ++at) of_y[at] += part[at] / heads;
    //| }
    //? Does each head make its own weights?
    //= every head uses the mean of all heads' weights
    for (int t = 0; t < y.rows; ++t) {
      for (int c = 0; c < d; ++c) y[t][h * d + c] = of_y[t * d + c];
      //~ also attn/heads-interleaved: for (int c = 0; c < d; ++c) y[t][c * heads + h] = of_y[t * d + c];
      //~ also attn/split-without-transpose: for (int c = 0; c < d; ++c) y[0][(h * y.rows + t) * d + c] = of_y[t * d + c];
      //~ also attn/rows-too-near: for (int c = 0; c < d; ++c) y[0][(h + t) * d + c] = of_y[t * d + c];
    }
  }
  //+ attention_made.reset();
  // end
}
