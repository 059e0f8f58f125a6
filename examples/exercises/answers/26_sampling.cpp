// Exercise 26, sampling: from a model's scores to the probabilities by which the next id is drawn.       docs/ch11.md#model-lm
//
//   penalize       the scores of ids that have come move towards -∞: s / penalty where s > 0, s · penalty elsewhere, once an id
//   keep_top_k     the k likeliest ids alone; k = 0: all
//   keep_top_p     the fewest of the likeliest ids whose probabilities together reach top_p; one is always left
//   next_id        softmax(scores / temperature), then top-k, then top-p; a temperature of 0: the likeliest alone
//
// A row is one text, a column one id of the vocabulary. What is cut gets 0, and what is left is scaled to sum to 1 again. Among ids
// with equal probabilities the first counts as likelier.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Sampling: penalty, temperature, top-k and top-p
//! minutes: 40
//! needs: softmax
//! done: The id that crosses top_p belongs to it: that one comparison is wrong in published code again and again.
#include "examples/exercises/rows.h"

In as_input(Out p) { return {p.rows, p.columns, p.numbers}; }

// scores and y are [1, V]; seen are the ids that have come, `count` of them, some more than once.
void penalize(In scores, const int* seen, int count, double penalty, Out y) {
  // blank: y from the scores
  //! A score of −4, divided by 2: is its id now likelier, or less likely?
  //! One loop over the ids: has this one come at all? How often does not matter.
  //! No score goes up, and only those of ids that have come go down.
  //! For a penalty r above 1 an id that has come gets the smaller one of s / r and s · r; the others keep s.
  for (int j = 0; j < scores.columns; ++j) {
    const double s = scores[0][j];
    const bool has_come = std::find(seen, seen + count, j) != seen + count;
    //~ 6 sample/penalty-of-all: const bool has_come = true;
    //? Which ids have come?
    //= all ids are penalized
    //~ 7 sample/penalty-of-others: const bool has_come = std::find(seen, seen + count, j) == seen + count;
    //? Which ids have come?
    //= the ids that have not come are penalized
    //~ 10 sample/penalty-of-first: const bool has_come = count > 0 && seen[0] == j;
    //? Which ids have come: one, or several?
    //= the first id that has come is penalized alone
    //~ 11 sample/penalty-of-last: const bool has_come = count > 0 && seen[count - 1] == j;
    //? Which ids have come: one, or several?
    //= the last id that has come is penalized alone
    y[0][j] = !has_come ? s : s > 0 ? s / penalty : s * penalty;
    //~ 1 sample/penalty-of-negatives: y[0][j] = !has_come ? s : s / penalty;
    //? A score of −4, divided by 2: is the id now likelier?
    //= negative scores are divided, too, which makes them greater
    //@ transformers#2302, NeMo Speech#8194
    //~ 2 sample/penalty-multiplied: y[0][j] = !has_come ? s : s * penalty;
    //? A score of 2, multiplied by 2: is the id now likelier?
    //= positive scores are multiplied, too
    //~ 3 sample/penalty-exchanged: y[0][j] = !has_come ? s : s > 0 ? s * penalty : s / penalty;
    //? Do your scores go down?
    //= positive scores are multiplied and negative ones divided
    //~ 4 sample/penalty-each-time:
    //| y[0][j] = s;
    //| for (int k = 0; k < count; ++k) {
    //|   if (seen[k] == j) y[0][j] = s > 0 ? y[0][j] / penalty : y[0][j] * penalty;
    //| }
    //? An id has come three times. How often is it penalized?
    //= once for each time that an id has come
    //~ 5 sample/penalty-subtracted: y[0][j] = !has_come ? s : s - penalty;
    //? Does a penalty of 1 change anything?
    //= the penalty is subtracted
    //~ 8 sample/penalty-of-positives: y[0][j] = !has_come ? s : s > 0 ? s / penalty : s;
    //? An id with the score −4 has come: does it become less likely?
    //= scores below 0 stay as they are
    //~ 9 sample/penalty-of-negatives-alone: y[0][j] = !has_come ? s : s > 0 ? s : s * penalty;
    //? An id with the score 4 has come: does it become less likely?
    //= scores above 0 stay as they are
  }
  // end
}

void keep_top_k(In given, int k, Out left) {
  // blank: how many are likelier?
  //! Probabilities 0.2, 0.5 and 0.3, and k = 2: how many ids are likelier than each of them?
  //! An id's fate depends on how many are likelier. You can count them; nothing has to be sorted.
  //! k ids are left, all of them for k = 0. They sum to 1, and keep their ratios.
  //! Keep an id if fewer than k come before it: those with more, and of equals those with a smaller number. Then divide by the sum of what
  //!   is left.
  for (int i = 0; i < given.rows; ++i) {
    const double* p = given[i];
    double sum = 0;
    for (int j = 0; j < given.columns; ++j) {
      int before = 0;
      for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m < j) ? 1 : 0;
      //~ 5 sample/least-likely: for (int m = 0; m < given.columns; ++m) before += p[m] < p[j] || (p[m] == p[j] && m < j) ? 1 : 0;
      //? Which end of the order do you keep?
      //= the least likely ids are kept, not the likeliest
      //~ 7 sample/first-ids: before = j;
      //? Are the ids in the order of their probabilities?
      //= the first k ids are kept, not the likeliest
      //~ 8 (convention) sample/ties-kept: for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] ? 1 : 0;
      //= all ids that are as likely as the last one kept are kept, too
      //~ 9 (convention) sample/last-of-equals: for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m > j) ? 1 : 0;
      //= of equals the last counts as likelier (the task asks for the first)
      //~ 10 sample/top-k-distinct: for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] && std::find(p, p + m, p[m]) == p + m ? 1 : 0;
      //? Two ids share the greatest probability, and k = 2: how many are left?
      //= k different probabilities are kept, with all ids that have them
      //~ 12 sample/top-k-minus-one: for (int m = 0; m < given.columns; ++m) before += p[m] >= p[j] ? 1 : 0;
      //? How many are left for k = 1?
      sum += left[i][j] = before < k || k == 0 ? p[j] : 0;
      //~ 2 sample/uniform: sum += left[i][j] = before < k || k == 0 ? 1 : 0;
      //? Is what was likelier still likelier?
      //= what is left is all equally likely
      //~ 3 sample/softmax-again: sum += left[i][j] = before < k || k == 0 ? std::exp(p[j]) : 0;
      //? Are these scores, or probabilities already?
      //= a softmax of what is a probability already
      //~ 4 sample/top-k-plus-one: sum += left[i][j] = before <= k || k == 0 ? p[j] : 0;
      //? How many are left for k = 1?
      //= k + 1 ids are kept
      //@ mesh-transformer-jax#164
      //~ 6 sample/top-k-zero: sum += left[i][j] = before < k ? p[j] : 0;
      //? What does k = 0 mean here?
      //= for k = 0 nothing is left
      //~ 11 sample/top-k-minus-one: sum += left[i][j] = before < k - 1 || k == 0 ? p[j] : 0;
      //= k − 1 ids are kept
    }
    for (int j = 0; j < given.columns; ++j) left[i][j] /= sum;
    //~ 1 sample/not-scaled:
    //? What do the probabilities sum to when some are gone?
    //= what is left is not scaled to sum to 1
  }
  // end
}

void keep_top_p(In given, double top_p, Out left) {
  // blank: how much have those together that are likelier?
  //! Probabilities 0.5, 0.41 and 0.09, and top_p = 0.9: which ids are left? And for top_p = 0, and for 1?
  //! An id's fate depends on how much those that are likelier have together.
  //! What is left had top_p together, and without its least likely id it had less. One id is always left.
  //! Keep an id if those before it have less than top_p together, or if there are none. Then divide by the sum of what is left.
  for (int i = 0; i < given.rows; ++i) {
    const double* p = given[i];
    //+ std::vector<double> sorted(p, p + given.columns);
    //+ std::sort(sorted.rbegin(), sorted.rend());
    double sum = 0;
    for (int j = 0; j < given.columns; ++j) {
      double before = 0;
      for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m < j) ? p[m] : 0;
      //~ 8 sample/top-p-unsorted: for (int m = 0; m < j; ++m) before += p[m];
      //? Are the ids in the order of their probabilities?
      //= the ids are added up in their order, not the likeliest first
      //@ gluon-nlp#1481
      //~ 9 sample/least-likely: for (int m = 0; m < given.columns; ++m) before += p[m] < p[j] || (p[m] == p[j] && m > j) ? p[m] : 0;
      //~ 12 sample/sorted-places: for (int m = 0; m < j; ++m) before += sorted[m];
      //? Which id stands in the first place after sorting?
      //= places in the sorted order are taken for ids
      //~ 13 sample/sorted-order: for (int m = 0; m < j; ++m) before += sorted[m];
      //? Which id stands in the first place after sorting?
      //= the probabilities are left in their sorted order
      //~ 14 (convention) sample/ties-kept: for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] ? p[m] : 0;
      //~ 15 (convention) sample/last-of-equals: for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m > j) ? p[m] : 0;
      //= (the task asks for the first)
      //+ double last = 0;
      //+ for (int m = 0; m < given.columns && sorted[m] > p[j]; ++m) last = sorted[m];
      //+ if (std::find(p, p + j, p[j]) != p + j) last = p[j];
      sum += left[i][j] = before < top_p || before == 0 ? p[j] : 0;
      //~ 2 sample/uniform: sum += left[i][j] = before < top_p || before == 0 ? 1 : 0;
      //= what is left is all equally likely
      //~ 3 sample/softmax-again: sum += left[i][j] = before < top_p || before == 0 ? std::exp(p[j]) : 0;
      //= a softmax of what is a probability already
      //~ 4 sample/top-p-drops-the-crossing-one: sum += left[i][j] = before + p[j] <= top_p || before == 0 ? p[j] : 0;
      //? Do those that you keep reach top_p?
      //= the id whose probability reaches top_p is dropped
      //@ reasoning-from-scratch#164, fish-speech PR1171
      //~ 5 sample/top-p-drops-when-reached: sum += left[i][j] = before + p[j] < top_p || before == 0 ? p[j] : 0;
      //? Do those that you keep reach top_p?
      //= nothing is kept any more once the sum has reached top_p
      //~ 6 sample/top-p-empty: sum += left[i][j] = before < top_p ? p[j] : 0;
      //? What is left for top_p = 0?
      //= nothing may be left
      //@ deepmind/simply PR42
      //~ 7 sample/top-p-one-more: sum += left[i][j] = before - last < top_p || before == 0 ? p[j] : 0;
      //? Would one fewer reach top_p as well?
      //= one id more than is needed
      //~ 10 sample/top-p-threshold: sum += left[i][j] = p[j] >= 1 - top_p || before == 0 ? p[j] : 0;
      //? Is top_p a bound for one probability, or for a sum?
      //= each probability is compared with 1 − top_p
      //~ 11 sample/min-p: sum += left[i][j] = p[j] >= top_p * sorted[0] || before == 0 ? p[j] : 0;
      //? Is top_p a bound for one probability, or for a sum?
      //= each probability is compared with top_p times the greatest: that is min-p
      //~ also sample/sorted-order: sum += left[i][j] = before < top_p || before == 0 ? sorted[j] : 0;
      //~ 16 (convention) sample/top-p-until-above: sum += left[i][j] = before <= top_p || before == 0 ? p[j] : 0;
      //= a sum that is exactly top_p is not enough: it has to be above (the task asks for ids that together reach top_p)
      //~ 17 sample/top-p-1-is-greedy: sum += left[i][j] = (before < top_p && top_p < 1) || before == 0 ? p[j] : 0;
      //? What is cut for top_p = 1?
      //= for top_p = 1 only the likeliest is left
      //@ ChatRWKV PR170
    }
    for (int j = 0; j < given.columns; ++j) left[i][j] /= sum;
    //~ 1 sample/not-scaled:
    //= what is left is not scaled to sum to 1
  }
  // end
}

// `room` has the shape of p, for what comes in between; nobody reads it afterwards.
void next_id(In scores, double temperature, int k, double top_p, Out room, Out p) {
  // blank: softmax of the scores over the temperature, then both cuts
  //! Does a temperature of ½ make the likeliest id more likely, or less? And what is left at 0?
  //! Three steps: the softmax, into p; one cut, from p into room; the other cut, from room into p.
  //! The greatest score keeps the greatest probability, scores of 900 do not become ∞, and every row sums to 1.
  //! softmax of (score − greatest) / temperature, then keep_top_k, then keep_top_p. At a temperature of 0 keep the one likeliest id.
  //~ 11 sample/top-k-plus-one: if (temperature > 0 && k > 0) ++k;
  for (int i = 0; i < p.rows; ++i) {
    const double greatest = *std::max_element(scores[i], scores[i] + scores.columns);
    double sum = 0;
    for (int j = 0; j < p.columns; ++j) {
      const double behind = scores[i][j] - greatest;
      sum += p[i][j] = temperature > 0 ? std::exp(behind / temperature) : behind == 0 ? 1 : 0;
      //~ 1 sample/temperature-twice: sum += p[i][j] = temperature > 0 ? std::exp(behind / temperature / temperature) : behind == 0 ? 1 : 0;
      //? How often do you divide by the temperature?
      //= divided by the temperature twice
      //@ RL-Kernel#81, CodonTransformer PR20
      //~ 2 sample/temperature-multiplied: sum += p[i][j] = temperature > 0 ? std::exp(behind * temperature) : behind == 0 ? 1 : 0;
      //? Does a high temperature make the likeliest id more likely, or less?
      //= multiplied by the temperature
      //~ 3 sample/temperature-after-softmax: sum += p[i][j] = temperature > 0 ? std::exp(behind) : behind == 0 ? 1 : 0;
      //? Probabilities divided by 2 and scaled to sum to 1: what has changed?
      //= the temperature changes nothing: the probabilities are divided by it, or it is not used
      //~ 4 (convention) sample/temperature-last: sum += p[i][j] = temperature > 0 ? std::exp(behind) : behind == 0 ? 1 : 0;
      //= the temperature comes after both cuts
      //@ Camelid PR534
      //~ 6 sample/temperature-zero: sum += p[i][j] = std::exp(behind / temperature);
      //? What are scores divided by 0?
      //= a temperature of 0 divides by 0
      //~ 7 softmax/no-max: sum += p[i][j] = temperature > 0 ? std::exp(scores[i][j] / temperature) : behind == 0 ? 1 : 0;
      //? How large is e^900? And what is ∞ / ∞?
      //~ 8 sample/cut-with-zero:
      //| int before = 0;
      //| for (int m = 0; m < p.columns; ++m) before += scores[i][m] > scores[i][j] || (scores[i][m] == scores[i][j] && m < j) ? 1 : 0;
      //| const double kept = k > 0 && before >= k ? 0 : scores[i][j];
      //| sum += p[i][j] = temperature > 0 ? std::exp((kept - greatest) / temperature) : behind == 0 ? 1 : 0;
      //? What is e^0?
      //= the scores of what is cut become 0, not −∞
    }
    for (int j = 0; j < p.columns; ++j) p[i][j] /= sum;
  }
  //+ // wrong lines of what it calls
  //+
  //~ 12 sample/top-p-drops-the-crossing-one: if (temperature > 0) keep_top_p_made.set(3);
  //~ 13 sample/softmax-again: if (temperature > 0) keep_top_k_made.set(2, k > 0), keep_top_p_made.set(2);
  //~ 14 sample/not-scaled: if (temperature > 0) keep_top_k_made.set(0, k > 0), keep_top_p_made.set(0);
  keep_top_k(as_input(p), temperature > 0 ? k : 1, room);
  //~ 5 (convention) sample/top-p-before-top-k: keep_top_p(as_input(p), top_p, room);
  //= top-p comes before top-k, and counts what top-k would cut
  //~ also sample/cut-with-zero: keep_top_k(as_input(p), temperature > 0 ? 0 : 1, room);
  //~ 9 sample/without-top-k: keep_top_k(as_input(p), temperature > 0 ? 0 : 1, room);
  //? Is k used?
  //= no top-k
  //~ 15 (convention) sample/greedy-shares: keep_top_k(as_input(p), temperature > 0 ? k : 0, room);
  //= at a temperature of 0 the greatest scores share, if several are equal
  keep_top_p(as_input(room), top_p, p);
  //~ also sample/temperature-last:
  //| keep_top_p(as_input(room), top_p, p);
  //| for (int i = 0; i < p.rows && temperature > 0; ++i) {
  //|   double sum = 0;
  //|   for (int j = 0; j < p.columns; ++j) sum += p[i][j] = std::pow(p[i][j], 1 / temperature);
  //|   for (int j = 0; j < p.columns; ++j) p[i][j] /= sum;
  //| }
  //~ also sample/top-p-before-top-k: keep_top_k(as_input(room), temperature > 0 ? k : 1, p);
  //~ 10 sample/without-top-p: std::copy(room[0], room[room.rows], p[0]);
  //? Is top_p used?
  //= no top-p
  //~ also sample/greedy-shares: keep_top_p(as_input(room), temperature > 0 ? top_p : 1, p);
  //+ keep_top_k_made.reset(), keep_top_p_made.reset();
  // end
}
