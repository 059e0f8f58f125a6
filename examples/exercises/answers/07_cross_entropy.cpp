// Exercise 7, cross-entropy: what a prediction costs, and which way the scores should go.  docs/ch11-losses.md#loss-cross-entropy
//
//   loss of a row = Σ_j q_j (log Z - z_j)      Z = Σ_k e^(z_k)
//   q_j = (1 - smoothing) [j = target] + smoothing / V: what should come, spread a little
//
// z is [rows, V], a finite score for each of V classes, of any size. A row whose target is -1 is padding: it is not counted.
// See also docs/ch11-losses.md#loss-kl, docs/ch11-losses.md#loss-label-smoothing.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Cross-entropy, its gradient, and what is made of it
//! minutes: 45
//! needs: softmax
//! done: A mean is a sum divided once, by what was counted: padding and parts are where it goes wrong.
#include "examples/exercises/rows.h"

// The mean loss of the rows that count; there is at least one.
double cross_entropy(In z, const int* target, double smoothing) {
  // blank: log Z without an overflow, and the mean
  //! What does a row of V equal scores cost? And a target whose score is 1,000 behind?
  //! Padding: a row of target −1 adds nothing to the sum and nothing to the count. Divide once, at the end.
  //! log Σ e^z is the greatest score plus the logarithm of a sum of exponentials that are at most 1. No probability is needed.
  //! The loss of a row is Σ_j q_j (c + log Σ_k e^(z_k − c) − z_j), with c = max z and q as above.
  //+ std::vector<double> probabilities;
  //+ for (int i = 0; i < z.rows; ++i) {
  //+   const double most = *std::max_element(z[i], z[i] + z.columns);
  //+   double all = 0;
  //+   for (int j = 0; j < z.columns; ++j) all += std::exp(z[i][j] - most);
  //+   for (int j = 0; j < z.columns; ++j) probabilities.push_back(std::exp(z[i][j] - most) / all);
  //+ }
  //+
  //~ 15 loss/double-softmax: z = {z.rows, z.columns, probabilities.data()};
  //? Does the formula want scores, or probabilities?
  //= softmax before a loss that has a softmax in it
  //@ tensorflow_cookbook#86, lightning-bolts#654
  //~ 1 loss/smoothing-missing: smoothing = 0;
  //? Where does the smoothing ε stand in your formula?
  //= no smoothing
  //+ double total_before = 0, greatest_before = -INFINITY;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < z.rows; ++i) {
    if (target[i] < 0) continue;
    //~ 14 loss/ends-at-padding: if (target[i] < 0) break;
    //? A row is padding. What becomes of the rows behind it?
    //= the walk over the rows ends at the first padding
    //~ 18 loss/padding-counted:
    //| if (target[i] < 0) {
    //|   ++count;
    //|   continue;
    //| }
    //? By how many rows do you divide?
    //= padding adds nothing, but is counted in the mean
    //@ burn#5568, SkyRL PR462
    //~ 19 loss/padding-taken-for-a-row:
    //? What does a row cost that has no target?
    //= padding is a row like any other, whose target is no class
    //~ 20 loss/padding-as-index:
    //? Where is z[i][-1]?
    //= a target of −1 is used as an index
    //~ 21 loss/class-0-left-out: if (target[i] <= 0) continue;
    //? Which is the first class?
    //= class 0 is taken for padding
    const double greatest = *std::max_element(z[i], z[i] + z.columns);
    //~ 11 loss/max-kept: const double greatest = std::max(greatest_before, *std::max_element(z[i], z[i] + z.columns));
    //? With which value does the search for the greatest score begin in the second row?
    //= the greatest score is not searched anew in each row
    //~ 12 loss/max-of-all-rows: const double greatest = *std::max_element(z[0], z[z.rows]);
    //? One row lies 1,600 below another. What is left of its exponentials?
    //= the greatest score of all rows is subtracted from each
    //~ 13 loss/max-with-zero: const double greatest = std::max(0.0, *std::max_element(z[i], z[i] + z.columns));
    //? What is the greatest score of a row whose scores are all −800? And with which number does your search begin?
    //= the search for the greatest score begins with 0, or another number that is too large
    //~ 16 loss/no-max: const double greatest = 0;
    //? What are e^800 and e^−800?
    //= log Σ e^z without the greatest score taken out
    //@ nupic PR3818
    //~ 29 loss/no-max: const double greatest = 0;
    double total = 0;
    //~ 10 loss/total-kept: double total = total_before;
    //? With what does the sum of exponentials begin in the second row?
    //= the sum of exponentials goes on from row to row
    for (int j = 0; j < z.columns; ++j) total += std::exp(z[i][j] - greatest);
    //+ total_before = total, greatest_before = greatest;
    for (int j = 0; j < z.columns; ++j) {
      const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / z.columns;
      //~ 2 loss/smoothing-without-eps: const double q = (j == target[i] ? 1 - smoothing : 0) + 1.0 / z.columns;
      //? What do the q of a row sum to?
      //= 1/V is added to every class, not smoothing/V
      //@ ConvE#55
      //~ 3 loss/smoothing-keeps-one: const double q = (j == target[i] ? 1 - smoothing / z.columns : 0) + smoothing / z.columns;
      //? What do the q of a row sum to?
      //= the target's share is 1 − smoothing/V, before smoothing/V is added
      //@ pytorch-randaugment#30
      //~ 4 loss/smoothing-added: const double q = (j == target[i] ? 1 : 0) + smoothing / z.columns;
      //? What do the q of a row sum to?
      //= the target keeps a full 1, and smoothing/V is added to every class
      //~ 5 loss/smoothing-exchanged: const double q = (j == target[i] ? smoothing : 0) + (1 - smoothing) / z.columns;
      //? A smoothing of 0: what is left of the target?
      //= smoothing and 1 − smoothing have changed places
      //~ 6 (convention) loss/smoothing-over-others: const double q = j == target[i] ? 1 - smoothing : smoothing / (z.columns - 1);
      //= the smoothing is spread over the other V − 1 classes alone
      //@ pytorch#148884
      //~ 7 loss/smoothing-not-spread: const double q = j == target[i] ? 1 - smoothing : 0;
      //? What do the q of a row sum to?
      //= the target has 1 − smoothing, and the rest goes to no class
      //~ 8 loss/smoothing-not-on-target: const double q = j == target[i] ? 1 - smoothing : smoothing / z.columns;
      //? What do the q of a row sum to?
      //= the target has 1 − smoothing alone, without its own smoothing/V
      //~ 9 loss/smoothing-over-one-less: const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / (z.columns - 1);
      //? What do the q of a row sum to?
      //= smoothing/(V − 1) is added to every class, the target too
      sum += q * (greatest + std::log(total) - z[i][j]);
      //~ 17 loss/log-of-softmax: sum -= q * std::log(std::exp(z[i][j] - greatest) / total);
      //? Which is the smallest probability that a double can hold?
      //= the logarithm of a probability that has become 0
      //~ 22 loss/greatest-not-added-back: sum += q * (std::log(total) - z[i][j]);
      //? You have log Σ e^(z − c). How do you get log Σ e^z from it?
      //= the greatest score is not added to log Σ e^(z − c)
      //~ 23 loss/axis:
      //| double most = -INFINITY, down = 0;
      //| for (int k = 0; k < z.rows; ++k) most = std::max(most, z[k][j]);
      //| for (int k = 0; k < z.rows; ++k) down += std::exp(z[k][j] - most);
      //| sum += q * (most + std::log(down) - z[i][j]);
      //? Over which axis do probabilities sum to 1?
      //= Z is the sum over the rows, not over the classes
      //~ 28 loss/probability-for-logarithm: sum -= q * std::exp(z[i][j] - greatest) / total;
      //? What does a row of probability 1 cost? And one of probability 0?
      //= minus the probability, without its logarithm
      //~ also 29 loss/no-max: if (q > 0) sum += q * (std::log(total) - z[i][j]);
    }
    ++count;
    //~ also loss/padding-as-index:
    //| if (target[i] < 0) sum += (1 - smoothing) * (greatest + std::log(total) - z[i][target[i]]);
    //| ++count;
  }
  return sum / count;
  //~ 24 loss/sum-not-mean: return sum;
  //? Does the loss grow with the number of rows?
  //= the sum over the rows, not their mean
  //~ 25 loss/mean-over-classes: return sum / count / z.columns;
  //? How many losses does a row have?
  //= the mean over rows and classes
  //~ 26 loss/bits: return sum / count / std::log(2);
  //? What does it cost to guess among V: log V, or log₂ V?
  //= the logarithm of base 2
  //~ 27 loss/sign: return -sum / count;
  //? Is a good prediction cheap, or dear?
  //= the logarithm of the probability without its minus
  // end
}

// From g = dL/dloss, a number, to dL/dz. Padding gets 0.
void cross_entropy_gradient(double g, In z, const int* target, double smoothing, Out dz) {
  // blank: what the model says minus what should come
  //! The target's score goes up a little. What should the loss do, and how much, if the target has the probability 0.9?
  //! Each row by itself: probabilities, what should come, their difference. Padding gets 0, and is not counted.
  //! The slope of log Z is the softmax. The mean hands 1/N of g to each of its N rows.
  //! dz_j = g (p_j − q_j) / N, with N the rows that count; 0 in a row of padding.
  //+ std::vector<double> probabilities;
  //+ for (int i = 0; i < z.rows; ++i) {
  //+   const double most = *std::max_element(z[i], z[i] + z.columns);
  //+   double all = 0;
  //+   for (int j = 0; j < z.columns; ++j) all += std::exp(z[i][j] - most);
  //+   for (int j = 0; j < z.columns; ++j) probabilities.push_back(std::exp(z[i][j] - most) / all);
  //+ }
  //+
  //~ 15 loss/double-softmax: z = {z.rows, z.columns, probabilities.data()};
  //~ 1 loss/smoothing-missing: smoothing = 0;
  //= no smoothing
  //+ double total_before = 0, greatest_before = -INFINITY;
  const auto count = std::count_if(target, target + z.rows, [](int t) { return t >= 0; });
  //~ 19 loss/padding-counted: const auto count = z.rows;
  //~ 28 loss/class-0-left-out: const auto count = std::count_if(target, target + z.rows, [](int t) { return t > 0; });
  for (int i = 0; i < z.rows; ++i) {
    const double greatest = *std::max_element(z[i], z[i] + z.columns);
    //~ 11 loss/max-kept: const double greatest = std::max(greatest_before, *std::max_element(z[i], z[i] + z.columns));
    //= the greatest score is not searched anew in each row
    //~ 12 loss/max-of-all-rows: const double greatest = *std::max_element(z[0], z[z.rows]);
    //= the greatest score of all rows is subtracted from each
    //~ 13 loss/max-with-zero: const double greatest = std::max(0.0, *std::max_element(z[i], z[i] + z.columns));
    //= the search for the greatest score begins with 0, or another number that is too large
    //~ 16 loss/no-max: const double greatest = 0;
    double total = 0;
    //~ 10 loss/total-kept: double total = total_before;
    //= the sum of exponentials goes on from row to row
    for (int j = 0; j < z.columns; ++j) total += std::exp(z[i][j] - greatest);
    //+ if (target[i] >= 0) total_before = total, greatest_before = greatest;
    for (int j = 0; j < z.columns; ++j) {
      const double p = std::exp(z[i][j] - greatest) / total;
      const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / z.columns;
      //~ 2 loss/smoothing-without-eps: const double q = (j == target[i] ? 1 - smoothing : 0) + 1.0 / z.columns;
      //= 1/V is added to every class, not smoothing/V
      //@ ConvE#55
      //~ 3 loss/smoothing-keeps-one: const double q = (j == target[i] ? 1 - smoothing / z.columns : 0) + smoothing / z.columns;
      //= the target's share is 1 − smoothing/V, before smoothing/V is added
      //@ pytorch-randaugment#30
      //~ 4 loss/smoothing-added: const double q = (j == target[i] ? 1 : 0) + smoothing / z.columns;
      //= the target keeps a full 1, and smoothing/V is added to every class
      //~ 5 loss/smoothing-exchanged: const double q = (j == target[i] ? smoothing : 0) + (1 - smoothing) / z.columns;
      //= smoothing and 1 − smoothing have changed places
      //~ 6 (convention) loss/smoothing-over-others: const double q = j == target[i] ? 1 - smoothing : smoothing / (z.columns - 1);
      //= the smoothing is spread over the other V − 1 classes alone
      //@ pytorch#148884
      //~ 7 loss/smoothing-not-spread: const double q = j == target[i] ? 1 - smoothing : 0;
      //= the target has 1 − smoothing, and the rest goes to no class
      //~ 8 loss/smoothing-not-on-target: const double q = j == target[i] ? 1 - smoothing : smoothing / z.columns;
      //= the target has 1 − smoothing alone, without its own smoothing/V
      //~ 9 loss/smoothing-over-one-less: const double q = (j == target[i] ? 1 - smoothing : 0) + smoothing / (z.columns - 1);
      //= smoothing/(V − 1) is added to every class, the target too
      dz[i][j] = target[i] < 0 ? 0 : g * (p - q) / static_cast<double>(count);
      //~ 14 loss/ends-at-padding: dz[i][j] = std::find(target, target + i + 1, -1) != target + i + 1 ? 0 : g * (p - q) / static_cast<double>(count);
      //= the walk over the rows ends at the first padding
      //~ 17 norm/whole-division: dz[i][j] = target[i] < 0 ? 0 : 1 / z.columns * g * (p - q);
      //? What is 1 / 3 in C++, if both are whole numbers?
      //~ 18 loss/gradient-not-divided: dz[i][j] = target[i] < 0 ? 0 : g * (p - q);
      //? The loss is a mean. What is left of one row's share in it?
      //= not divided by the number of rows that count
      //~ 20 loss/gradient-of-padding: dz[i][j] = g * (p - q) / static_cast<double>(count);
      //? Does the loss change with the scores of padding?
      //= padding gets a gradient
      //~ 21 loss/padding-as-index: dz[i][j] = g * (p - q) / static_cast<double>(count);
      //? Where is dz[i][-1]?
      //~ 22 loss/gradient-without-target: dz[i][j] = target[i] < 0 ? 0 : g * p / static_cast<double>(count);
      //? Which score should go up?
      //= the probabilities alone, without what should come
      //~ 23 loss/gradient-sign: dz[i][j] = target[i] < 0 ? 0 : g * (q - p) / static_cast<double>(count);
      //? If the target's score grows, does the loss grow?
      //= what should come minus the probabilities
      //~ 24 loss/gradient-times-slope: dz[i][j] = target[i] < 0 ? 0 : g * (p - q) * p * (1 - p) / static_cast<double>(count);
      //? What is the gradient of a row that is sure and wrong?
      //= (p − q) p (1 − p): a slope that the logarithm has undone
      //~ 25 loss/gradient-of-p: dz[i][j] = target[i] < 0 ? 0 : -g * q / p / static_cast<double>(count);
      //? Is it the probability that you differentiate by, or the score?
      //= −q / p, the gradient of the probabilities
      //~ 26 loss/gradient-at-target-only: dz[i][j] = j == target[i] ? g * (p - q) / static_cast<double>(count) : 0;
      //? The target's score goes up. What becomes of the other probabilities?
      //= only the target's score gets a gradient
      //~ 27 loss/gradient-without-g: dz[i][j] = target[i] < 0 ? 0 : (p - q) / static_cast<double>(count);
      //? What arrives from above?
      //= g is not used
      //~ also loss/class-0-left-out: dz[i][j] = target[i] <= 0 ? 0 : g * (p - q) / static_cast<double>(count);
      //~ 29 loss/g-for-p-alone: dz[i][j] = target[i] < 0 ? 0 : (g * p - q) / static_cast<double>(count);
      //? g is 2, and p = q. What is dz, and what is yours?
      //= g multiplies p alone, not p − q
    }
    //+
    //~ also loss/padding-as-index: if (target[i] < 0) dz[i][target[i]] -= g * (1 - smoothing) / static_cast<double>(count);
  }
  // end
}

// KL(p ‖ q) = Σ_j p_j (log p_j - log q_j), the mean over the rows: how far a model's q is from a target p. Given are the
// logarithms, [rows, V]. What has p = 0, so log p = -∞, adds 0; what has q = 0 and a p above it makes it ∞.
double kl_divergence(In log_p, In log_q) {
  // blank: one sum over everything, divided once
  //! p and q are equal: what is the divergence? And where p is ½ and q ¼, what does this class add?
  //! The logarithms are given; p itself is e^(log p). What has p = 0 is left out, what has q = 0 is not.
  //! It is a mean over what really comes: p weighs, and the difference of logarithms says how much more p expected it than q.
  //! Σ_j p_j (log p_j − log q_j), summed over all rows and divided by their number.
  //~ 1 loss/kl-exchanged: std::swap(log_p, log_q);
  //? By whose probabilities is the mean taken: by what should come, or by what the model says?
  //= KL(q ‖ p) in place of KL(p ‖ q)
  //@ aprender PR2153
  //~ 2 loss/kl-of-itself: log_q = log_p;
  //? Which terms reach your sum? And which two distributions does a term compare?
  //= always 0: log p − log p, or a condition that no term fulfils
  //@ labml#66
  double sum = 0;
  for (int i = 0; i < log_p.rows; ++i) {
    for (int j = 0; j < log_p.columns; ++j) {
      const double p = std::exp(log_p[i][j]);
      if (p > 0) sum += p * (log_p[i][j] - log_q[i][j]);
      //~ 5 loss/kl-without-entropy: if (p > 0) sum += p * -log_q[i][j];
      //? What is KL(p ‖ p)?
      //= −Σ p log q, the cross-entropy: log p is missing
      //~ 6 loss/kl-without-p: if (p > 0) sum += log_p[i][j] - log_q[i][j];
      //? How often does a class of probability 0 come?
      //= Σ (log p − log q): every class counts as much
      //~ 7 loss/kl-weighted-by-q: if (p > 0) sum += std::exp(log_q[i][j]) * (log_p[i][j] - log_q[i][j]);
      //? By whose probabilities is the mean taken: by what should come, or by what the model says?
      //= q stands where p should, before log p − log q
      //~ 8 loss/kl-log-for-p: if (p > 0) sum += log_p[i][j] * (log_p[i][j] - log_q[i][j]);
      //? What are you given: p, or log p?
      //= log p stands where p should
      //~ 9 loss/kl-zero: sum += p * (log_p[i][j] - log_q[i][j]);
      //? What is 0 · ∞ for a computer?
      //= 0 times −∞ where p is 0
      //~ 12 loss/kl-q-zero: if (p > 0 && std::exp(log_q[i][j]) > 0) sum += p * (log_p[i][j] - log_q[i][j]);
      //? The model says that something never happens, and it does. How far is the model from what should come?
      //= what has q = 0 adds nothing, even where p is above 0: it should be ∞
      //~ 13 loss/kl-quotient-of-logs: if (p > 0) sum += p * (log_p[i][j] / log_q[i][j]);
      //? log(p / q): is it log p / log q, or log p − log q?
      //= the logarithms are divided, not subtracted
      //~ 14 loss/kl-of-probabilities: if (p > 0) sum += p * (p - std::exp(log_q[i][j]));
      //? What does a row with p = ½ and q = ¼ add for a class: ½ · log 2, or ½ · ¼?
      //= p (p − q), without logarithms
    }
  }
  return sum / log_p.rows;
  //~ 3 loss/kl-mean-over-all: return sum / (log_p.rows * log_p.columns);
  //? How many divergences does a row have?
  //= the mean over rows and classes
  //@ attention-transfer PR30
  //~ 4 loss/kl-sum: return sum;
  //? Does your divergence grow with the number of rows?
  //= the sum over the rows, not their mean
  //~ 10 loss/kl-sign: return -sum / log_p.rows;
  //? Can a distance be negative?
  //= Σ p (log q − log p)
  //~ 11 loss/kl-classes-for-rows: return sum / log_p.columns;
  //? Over what is the mean taken: rows, or classes?
  //= divided by the number of classes, not by that of rows
  // end
}

// e^(the mean loss of all tokens) of a text that was read in parts: sum[0][k] is the sum of the losses of part k, in nats, and
// count[0][k] the number of its tokens. A part may be empty.
double perplexity(In sum, In count) {
  // blank: which mean is it?
  //! A part of one token costs 2 nats, a part of three tokens 1 nat each. What is the mean over tokens?
  //! Two sums over the parts, and one division. An empty part then needs no care.
  //! A token counts as one, wherever the text was cut. The exponential comes last.
  //! e^(Σ sums / Σ counts).
  double losses = 0, tokens = 0;
  //+ double parts = 0, means = 0, powers = 0, all_means = 0, all_powers = 0, weighted = 0, last = 0, product = 1;
  for (int k = 0; k < sum.columns; ++k) {
    losses += sum[0][k];
    tokens += count[0][k];
    //+ const double mean = sum[0][k] / count[0][k];
    //+ all_means += mean, all_powers += std::exp(mean);
    //+ if (count[0][k] == 0) continue;
    //+ parts += 1, means += mean, powers += std::exp(mean), weighted += count[0][k] * std::exp(mean), product *= std::exp(mean), last = mean;
  }
  return std::exp(losses / tokens);
  //~ 1 loss/mean-of-means: return std::exp(means / parts);
  //? Does a token of a short part count more than one of a long part?
  //= the mean of the parts' means
  //@ transformers PR34191, torchtune PR1875
  //~ 2 metric/mean-of-exp: return powers / parts;
  //? Which comes first: the mean, or the exponential?
  //= the mean of the parts' perplexities
  //@ magenta PR239
  //~ 3 metric/weighted-mean-of-exp: return weighted / tokens;
  //? Which comes first: the mean, or the exponential?
  //= the mean of the parts' perplexities, weighted by their tokens
  //~ 4 metric/no-exponential: return losses / tokens;
  //? In which unit is a mean loss, and in which a perplexity?
  //= the mean loss, without the exponential
  //~ 5 metric/base-2: return std::exp2(losses / tokens);
  //? In which unit are the losses: in bits, or in nats?
  //= 2 to the power of a loss in nats
  //@ evaluate#241
  //~ 6 metric/by-parts: return std::exp(losses / sum.columns);
  //? How many losses were added up?
  //= divided by the number of parts
  //~ 7 metric/sum-not-mean: return std::exp(losses);
  //? Is the perplexity of a text twice as long another?
  //= e to the power of the sum
  //~ 8 metric/exponential-before-division: return std::exp(losses) / tokens;
  //? Which comes first: the mean, or the exponential?
  //= e to the power of the sum, divided by the tokens
  //~ 9 metric/inverse: return std::exp(-losses / tokens);
  //? Among how many does a model guess whose perplexity is below 1?
  //= e to the power of minus the mean loss
  //~ 10 loss/mean-of-means: return std::exp(all_means / sum.columns);
  //? Does a token of a short part count more than one of a long part? And what is 0/0?
  //~ 11 metric/mean-of-exp: return all_powers / sum.columns;
  //? Which comes first: the mean, or the exponential? And what is 0/0?
  //~ 12 metric/last-part: return std::exp(last);
  //? How many parts are in your answer?
  //= the perplexity of the last part alone
  //~ 13 metric/product: return product;
  //? A text in two parts of perplexity 10 each: is the whole 10, or 100?
  //= the parts' perplexities are multiplied
  // end
}
