// Exercise 27, ring-all-reduce: every rank gets the sum of what all ranks have.                     docs/ch13.md#dist-ring
//
//   reduce_scatter   afterwards part r of rank r is the sum of all ranks' part r
//   all_gather       from there on: afterwards every rank has all parts
//   average          the two together, for gradients
//
// There are n ranks, and x is [n, L]: row r is what rank r has. Part p of a row are its columns begin_of(p, x) to
// begin_of(p + 1, x) − 1; some parts may be empty. The ranks stand in a ring: on the right of rank r is rank r + 1, on the right of
// the last one rank 0. In a step every rank sends one part to its right, and what it sends stays as it is. Each of the first two
// functions is a loop over n − 1 steps, and in it one over the ranks.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: A ring that sums: reduce-scatter, all-gather, and the mean of gradients
//! minutes: 40
//! needs: clip-and-schedule
//! done: A rank has sent 2 (n − 1) parts of n: less than twice its numbers, however many ranks there are.
#include "examples/exercises/rows.h"

int begin_of(int part, Out x) { return part * x.columns / x.rows; }

// Who gets a part adds it to its own. Rank r sends part r − 1 in the first step, and in the next what it has just added to.
void reduce_scatter(Out x) {
  // blank: which part does rank r send in this step, and what does its right do with it?
  //! Three ranks, and a part each. Rank 1 sends part 0 first. To whom does it come, and who sends it on?
  //! What a rank adds to in one step is what it sends in the next. Which part was that, counted from its own?
  //! In each step all ranks send different parts, and every part moves one rank to the right: after n − 1 steps part r is at rank r.
  //! In step s, from 1 on, rank r sends part r − s, counted around: + n before % n, as −1 % n is −1 in C++.
  const int n = x.rows;
  for (int step = 1; step < n; ++step) {
    //~ 4 ring/one-step-missing: for (int step = 1; step < n - 1; ++step) {
    //? How many ranks have added to a part after n − 2 steps?
    //= n − 2 steps: each sum lacks a rank
    //~ 5 ring/one-step-more: for (int step = 1; step <= n; ++step) {
    //? Whose numbers has a part in it after n − 1 steps, and who adds them again in one more?
    //= n steps: a sum that is complete is sent on and added
    for (int r = 0; r < n; ++r) {
      const int right = (r + 1) % n, part = (r + n - step) % n;
      //~ 1 (convention) ring/next-part: const int right = (r + 1) % n, part = (r + n - step + 1) % n;
      //= rank r begins with part r, and ends with the sum of part r + 1 (the task asks for part r)
      //~ 6 ring/upwards: const int right = (r + 1) % n, part = (r + step) % n;
      //? Rank r has added to part r − 2 in the first step. Which part does it send in the second?
      //= the parts are taken upwards, so that a rank sends what it has not added to
      //~ 7 ring/own-part: const int right = (r + 1) % n, part = r;
      //? Does a rank send the same part twice?
      //= rank r sends part r in each step
      //~ 8 ring/all-the-same-part: const int right = (r + 1) % n, part = step - 1;
      //? In one step, which part does rank 0 send, and which one rank 1?
      //= in a step all ranks send the same part: no ring, but a chain
      //~ 9 ring/to-the-left: const int right = (r + n - 1) % n, part = (r + n - step) % n;
      //? On which side of rank r is rank r + 1?
      //= parts are sent to the left
      //~ 15 ring/to-itself: const int right = r, part = (r + n - step) % n;
      //? Who adds what rank r sends?
      //= a rank adds the part that it sends to itself
      //~ 16 ring/rank-0-alone: const int right = 0, part = (r + n - step) % n;
      //? To whom does rank 1 send?
      //= all ranks send to rank 0
      for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] += x[r][j];
      //~ 2 ring/overwritten: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] = x[r][j];
      //? What becomes of the numbers that the right has itself?
      //= the right's own numbers are overwritten, not added to
      //~ 3 ring/mean-of-pairs: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] = (x[right][j] + x[r][j]) / 2;
      //? How much does the first rank's number weigh in the last mean?
      //= each step takes the mean of two: the last ranks weigh more
      //~ 10 ring/equal-parts: for (int j = part * (x.columns / n); j < (part + 1) * (x.columns / n); ++j) x[right][j] += x[r][j];
      //? Five numbers and two ranks: to which part belongs the fifth?
      //= all parts have L / n numbers: what is left over belongs to none
      //~ 11 ring/part-too-long: for (int j = begin_of(part, x); j <= std::min(begin_of(part + 1, x), x.columns - 1); ++j) x[right][j] += x[r][j];
      //? To which part belongs the column begin_of(p + 1)?
      //= a part has the first number of the next one as well
      //~ 12 ring/whole-row: for (int j = 0; j < x.columns; ++j) x[right][j] += x[r][j];
      //? How many numbers does a rank send in a step?
      //= the whole row is sent in each step
      //~ 13 ring/from-the-right: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[r][j] += x[right][j];
      //? Who adds, the rank that sends or its right?
      //= a rank adds what its right has
      //~ 14 ring/sent-away: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] += x[r][j], x[r][j] = 0;
      //? Does a rank still have what it has sent?
      //= what a rank has sent is set to 0
    }
  }
  //~ 17 ring/everything-summed:
  //| for (int j = 0; j < x.columns; ++j) {
  //|   double sum = 0;
  //|   for (int r = 0; r < n; ++r) sum += x[r][j];
  //|   for (int r = 0; r < n; ++r) x[r][j] = sum;
  //| }
  //? How many numbers does a rank send in yours, if there are a thousand ranks?
  //= every rank reads every other one's whole row: no ring
  // end
}

// At first part r is right on rank r, and on no other. Who gets a part keeps it in place of its own.
void all_gather(Out x) {
  // blank: the same ring, once more
  //! Rank r has one part that is right. Which one can it send in the first step, and which one in the second?
  //! It is the loop of reduce_scatter, but for the part that comes first and for what the right does with it.
  //! What comes is a whole sum already. A rank sends on in a step what came to it in the one before.
  //! In step s, from 0 on, rank r sends part r − s, counted around, and the right puts it in place of its own.
  const int n = x.rows;
  for (int step = 0; step < n - 1; ++step) {
    //~ 3 ring/one-step-missing: for (int step = 0; step < n - 2; ++step) {
    //? How many ranks has a part seen after n − 2 steps?
    //= n − 2 steps: a rank lacks a part
    for (int r = 0; r < n; ++r) {
      const int right = (r + 1) % n, part = (r + n - step) % n;
      //~ 1 (convention) ring/next-part: const int right = (r + 1) % n, part = (r + n - step + 1) % n;
      //= rank r begins with part r + 1 (the task asks for part r)
      //~ 4 ring/part-before: const int right = (r + 1) % n, part = (r + n - step - 1) % n;
      //? Which part is right on rank r before the first step?
      //= rank r begins with part r − 1, which is not yet right
      //~ 5 ring/upwards: const int right = (r + 1) % n, part = (r + step) % n;
      //? Which part did rank r get in the first step? Which one does it send in the second?
      //= the parts are taken upwards, so that a rank sends what it has not got
      //~ 6 ring/own-part: const int right = (r + 1) % n, part = r;
      //? Who sends part 0 to rank 2?
      //= rank r sends part r in each step: it comes no farther than to the right
      //~ 9 ring/to-the-left: const int right = (r + n - 1) % n, part = (r + n - step) % n;
      //? On which side of rank r is rank r + 1?
      for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] = x[r][j];
      //~ 2 ring/told-and-added: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] += x[r][j];
      //? Is what comes in this phase a part of a sum, or the sum?
      //= what comes is added, though it is the whole sum
      //~ 7 ring/equal-parts: for (int j = part * (x.columns / n); j < (part + 1) * (x.columns / n); ++j) x[right][j] = x[r][j];
      //? Five numbers and two ranks: to which part belongs the fifth?
      //~ 8 ring/divided-on-the-way: for (int j = begin_of(part, x); j < begin_of(part + 1, x); ++j) x[right][j] = x[r][j] / n;
      //? How often is a number divided that comes to the last rank?
      //= each step divides by n
    }
  }
  //~ 10 dist/rank-0-tells:
  //| for (int r = 1; r < n; ++r) {
  //|   for (int j = 0; j < x.columns; ++j) x[r][j] = x[0][j];
  //| }
  //? Which parts are right on rank 0?
  //= all get rank 0's row, of which one part is right
  // end
}

// Row r of g is the gradient of the mean loss over the tokens[0][r] tokens of rank r. Afterwards every row is the gradient of the
// mean loss over all tokens, shortened to the length `most` if it is longer.
void average(Out g, In tokens, double most) {
  // blank: weigh, sum by the two functions above, clip
  //! One rank has 1 token, another one 9. The mean over all ten: which weights have the two ranks' means in it?
  //! Sums go through the ring, means do not: first a factor for each row, then the two functions, then the length.
  //! After the ring all rows are the same, so each rank finds the same length by itself, and nothing more has to be sent.
  //! A row's weight is its tokens over those of all ranks. Once summed, its factor is most / ‖g‖ where ‖g‖ is larger than most, else 1.
  const int n = g.rows;
  double all = 0;
  for (int r = 0; r < n; ++r) all += tokens[0][r];
  //+ const auto clipped = [&](int row) {
  //+   double squares = 0;
  //+   for (int j = 0; j < g.columns; ++j) squares += g[row][j] * g[row][j];
  //+   return squares > most * most ? most / std::sqrt(squares) : 1;
  //+ };
  for (int r = 0; r < n; ++r) {
    const double share = tokens[0][r] / all;
    //~ 1 dist/divided-twice: const double share = tokens[0][r] / all / n;
    //? The shares of all ranks: to what do yours sum?
    //= divided by the number of tokens, and by n again: the learning rate is one n-th
    //@ verl-SpeCo PR29, fairseq#494
    //~ 2 dist/mean-of-means: const double share = 1.0 / n;
    //? One rank has 1 token, another one 9. Does each token weigh the same?
    //= the mean of the ranks' means: a token of a rank with few of them weighs more
    //~ 3 dist/sum-for-mean: const double share = 1;
    //? All ranks have the same gradient. What should their average be?
    //= gradients of means are summed, not averaged
    //@ sparseml PR135
    //~ 4 dist/not-divided: const double share = tokens[0][r];
    //? All ranks have the same gradient. What should their average be?
    //= weighed by tokens, and not divided by their number
    //~ 5 dist/first-share: const double share = tokens[0][0] / all;
    //? Whose tokens are the first rank's?
    //= all ranks have the weight of the first
    //~ 6 dist/local-clip: const double share = clipped(r) * tokens[0][r] / all;
    //? Two ranks have gradients 10 and −10 long. How long is their average, and how much of it must be cut?
    //= each rank clips what it has before the sum
    for (int j = 0; j < g.columns; ++j) g[r][j] *= share;
  }
  reduce_scatter(g);
  //~ 7 dist/wrapper-bypassed:
  //? Do all ranks make the same step?
  //= nothing is sent: each rank goes on with its own gradient
  //@ OpenTSLM PR49
  //~ 8 dist/reduced-twice: reduce_scatter(g), all_gather(g), reduce_scatter(g);
  //? What does the sum of equal gradients come to?
  //= what has been summed is summed again
  all_gather(g);
  //~ also dist/wrapper-bypassed:
  //~ 9 dist/not-told:
  //? Which part of the sum does rank r have after reduce_scatter?
  //= the sums are not told: a rank has one part of them
  for (int r = 0; r < n; ++r) {
    double squares = 0;
    for (int j = 0; j < g.columns; ++j) squares += g[r][j] * g[r][j];
    //~ 10 dist/norm-of-shard: for (int j = begin_of(r, g); j < begin_of(r + 1, g); ++j) squares += g[r][j] * g[r][j];
    //? By which factor does rank 0 shorten its row, and by which rank 1?
    //= the length of one part alone: each rank shortens by another factor
    //@ AReaL#312, llm.c PR524, Paddle PR35893
    const double norm = std::sqrt(squares);
    //~ 11 dist/norm-counted-again: const double norm = std::sqrt(squares * n);
    //? Every rank has the same gradient now. How long is it?
    //= the squares of all ranks are summed, though all have the same ones: √n times too long
    //@ twinkle PR290
    //~ 12 dist/norm-divided: const double norm = std::sqrt(squares / n);
    //? Every rank has the same gradient now. How long is it?
    //= the length is divided by √n
    const double factor = norm > most ? most / norm : 1;
    //~ also dist/local-clip: const double factor = 1;
    //~ 13 dist/not-clipped: const double factor = 1;
    //? How long is what you give, if it is longer than `most` at first?
    //= nothing is clipped
    //~ 14 clip/lengthens: const double factor = most / norm;
    //? Should a short gradient become longer?
    //= a gradient that is short enough is lengthened
    for (int j = 0; j < g.columns; ++j) g[r][j] *= factor;
    //~ 15 clip/by-value: for (int j = 0; j < g.columns; ++j) g[r][j] = std::clamp(g[r][j], -most, most);
    //? Does the clipped gradient point where g points?
  }
  // end
}
