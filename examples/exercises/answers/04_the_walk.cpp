// Exercise 4, the-walk: back over a tape, from what was computed to what it was computed from.       docs/ch00.md
//
//   dy/dy = 1      dy/dx = the sum of dy/dz · dz/dx over all entries z that were made of x
//
// The tape has an entry for each number, in the order of their making: an input stands before what is made of it.
// grad is [1, entries]. It still holds what an earlier walk found.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

struct Entry {
  int inputs[2];     // their places on the tape; -1: none
  double slopes[2];  // how fast the entry grows with each input; without an input it means nothing
};

// grad[0][i] = dy/d(entry i), where y is the place of an entry. What y is not made of gets 0.
void walk(const Entry* tape, int y, Out grad) {
  // blank: from the newest entry to the oldest, adding
  for (int at = 0; at < grad.columns; ++at) grad[0][at] = 0;
  grad[0][y] = 1;
  for (int at = y; at >= 0; --at) {
    for (int k = 0; k < 2; ++k) {
      const int input = tape[at].inputs[k];
      if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[k];
    }
  }
  // end
}
