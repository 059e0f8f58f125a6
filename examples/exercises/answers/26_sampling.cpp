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
#include "examples/exercises/rows.h"

In as_input(Out p) { return {p.rows, p.columns, p.numbers}; }

// scores and y are [1, V]; seen are the ids that have come, `count` of them, some more than once.
void penalize(In scores, const int* seen, int count, double penalty, Out y) {
  // blank: y from the scores
  for (int j = 0; j < scores.columns; ++j) {
    const double s = scores[0][j];
    const bool has_come = std::find(seen, seen + count, j) != seen + count;
    y[0][j] = !has_come ? s : s > 0 ? s / penalty : s * penalty;
  }
  // end
}

void keep_top_k(In given, int k, Out left) {
  // blank: how many are likelier?
  for (int i = 0; i < given.rows; ++i) {
    const double* p = given[i];
    double sum = 0;
    for (int j = 0; j < given.columns; ++j) {
      int before = 0;
      for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m < j) ? 1 : 0;
      sum += left[i][j] = before < k || k == 0 ? p[j] : 0;
    }
    for (int j = 0; j < given.columns; ++j) left[i][j] /= sum;
  }
  // end
}

void keep_top_p(In given, double top_p, Out left) {
  // blank: how much have those together that are likelier?
  for (int i = 0; i < given.rows; ++i) {
    const double* p = given[i];
    double sum = 0;
    for (int j = 0; j < given.columns; ++j) {
      double before = 0;
      for (int m = 0; m < given.columns; ++m) before += p[m] > p[j] || (p[m] == p[j] && m < j) ? p[m] : 0;
      sum += left[i][j] = before < top_p || before == 0 ? p[j] : 0;
    }
    for (int j = 0; j < given.columns; ++j) left[i][j] /= sum;
  }
  // end
}

// `room` has the shape of p, for what comes in between; nobody reads it afterwards.
void next_id(In scores, double temperature, int k, double top_p, Out room, Out p) {
  // blank: softmax of the scores over the temperature, then both cuts
  for (int i = 0; i < p.rows; ++i) {
    const double greatest = *std::max_element(scores[i], scores[i] + scores.columns);
    double sum = 0;
    for (int j = 0; j < p.columns; ++j) {
      const double behind = scores[i][j] - greatest;
      sum += p[i][j] = temperature > 0 ? std::exp(behind / temperature) : behind == 0 ? 1 : 0;
    }
    for (int j = 0; j < p.columns; ++j) p[i][j] /= sum;
  }
  keep_top_k(as_input(p), temperature > 0 ? k : 1, room);
  keep_top_p(as_input(room), top_p, p);
  // end
}
