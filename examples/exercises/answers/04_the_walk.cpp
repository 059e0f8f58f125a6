// Exercise 4, the-walk: back over a tape, from what was computed to what it was computed from.       docs/ch00.md
//
//   dy/dy = 1      dy/dx = the sum of dy/dz · dz/dx over all entries z that were made of x
//
// The tape has an entry for each number, in the order of their making: an input stands before what is made of it.
// grad is [1, entries]. It still holds what an earlier walk found.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: the walk back over a tape
//! minutes: 30
//! needs: rule-mul
//! done: The order is what makes it right: newest to oldest, so that nothing is handed on before it is complete. (A recursion that hands on
//!   only what has just arrived is right, too; but 20 doublings x + x would take it 2,097,151 visits, and this walk 21.)
#include "examples/exercises/rows.h"

struct Entry {
  int inputs[2];     // their places on the tape; -1: none
  double slopes[2];  // how fast the entry grows with each input; without an input it means nothing
};

// grad[0][i] = dy/d(entry i), where y is the place of an entry. What y is not made of gets 0.
void walk(const Entry* tape, int y, Out grad) {
  // blank: from the newest entry to the oldest, adding
  //! An entry was used three times. When may it hand its gradient on?
  //! Before the walk: what must every gradient be? In the walk: one loop over the entries, one over the two inputs.
  //! All that was made of an entry is newer than it. So from the newest to the oldest, each is complete at its turn.
  //! All gradients are 0, but that of y is 1. Then for each entry z, newest first: dy/dx grows by dy/dz · dz/dx for each input x.
  //~ 16 engine/from-the-end: y = grad.columns - 1;
  //? Is y always the last entry?
  //= the walk begins at the last entry of the tape, whichever y is
  //+ const std::vector<double> before(grad[0], grad[0] + grad.columns);
  //+ const auto is_leaf = [&](int at) { return tape[at].inputs[0] < 0 && tape[at].inputs[1] < 0; };
  for (int at = 0; at < grad.columns; ++at) grad[0][at] = 0;
  //~ 9 engine/stale-inner-grads:
  //? What is in grad when your walk begins?
  //= gradients of an earlier walk are still there, and are handed on again
  //@ karpathy/micrograd#53
  //~ 10 engine/only-leaves-reset:
  //| for (int at = 0; at < grad.columns; ++at) {
  //|   if (is_leaf(at)) grad[0][at] = 0;
  //| }
  //? Which entries hold a gradient after a walk: only the leaves?
  //= what an earlier walk left is cleared in the leaves alone
  //~ 11 (convention) engine/leaves-add:
  //| for (int at = 0; at < grad.columns; ++at) {
  //|   if (!is_leaf(at)) grad[0][at] = 0;
  //| }
  //= a leaf's gradient is added to what it held, as y.backward() does
  //~ 13 engine/newer-kept: for (int at = 0; at <= y; ++at) grad[0][at] = 0;
  //? How fast does y grow with an entry that is newer than y?
  //= entries newer than y keep what an earlier walk left in them
  //~ 14 engine/seed-added:
  //? What is in grad when your walk begins?
  //= nothing is cleared: even the 1 of y is added to what an earlier walk left
  //~ 30 engine/begun-with-one: for (int at = 0; at < grad.columns; ++at) grad[0][at] = 1;
  //? Which gradient begins with 1?
  //= all gradients begin with 1, not that of y alone
  grad[0][y] = 1;
  //~ also engine/seed-added: grad[0][y] += 1;
  //~ 15 engine/no-seed:
  //? How fast does y grow with y?
  //= y does not begin with a gradient of 1
  //+ const auto each_input = [&](int at, const auto& f) {
  //+   for (int k = 0; k < 2; ++k) {
  //+     if (tape[at].inputs[k] >= 0) f(tape[at].inputs[k], tape[at].slopes[k]);
  //+   }
  //+ };
  //+ const auto visit = [&](int at) { each_input(at, [&](int input, double slope) { grad[0][input] += grad[0][at] * slope; }); };
  for (int at = y; at >= 0; --at) {
    //~ 6 engine/oldest-first: for (int at = 0; at <= y; ++at) {
    //? Which entry has its whole gradient when the walk begins?
    //= the walk goes from the oldest entry to the newest
    //~ 25 engine/y-not-visited: for (int at = y - 1; at >= 0; --at) {
    //? Does your loop visit y? Whose gradient does a slope multiply: the entry's, or its input's? And is it cleared after it has come?
    //= nothing comes from y: the walk begins before it, multiplies by the gradients of the inputs, which are still 0, or clears what has arrived
    //~ 28 engine/ends-at-leaf: for (int at = y; at >= 0 && !is_leaf(at); --at) {
    //? Is a leaf always older than all that has inputs?
    //= the walk ends at the first leaf
    //~ 29 engine/ends-at-zero: for (int at = y; at >= 0 && grad[0][at] != 0; --at) {
    //? Is there anything older than an entry of gradient 0 that still gets one?
    //= the walk ends at the first gradient of 0
    //+
    //~ 22 engine/one-input-skipped: if (tape[at].inputs[0] < 0 || tape[at].inputs[1] < 0) continue;
    //? What does an entry hand on that has one input?
    //= an entry with a single input hands nothing on
    //~ 36 engine/first-input-missing: if (tape[at].inputs[0] < 0) continue;
    //? The first input may be missing. Is there always no second one then?
    //= an entry without a first input hands nothing on, though it has a second one
    for (int k = 0; k < 2; ++k) {
      //~ 18 engine/first-input-only: for (int k = 0; k < 1; ++k) {
      //? How many inputs does a product have?
      //= only the first input gets a gradient
      const int input = tape[at].inputs[k];
      //~ 26 engine/first-input-twice: const int input = tape[at].inputs[0];
      //? Which places does an entry have: inputs[0] and …?
      //= both gradients go to the first input
      if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[k];
      //~ 7 engine/overwrites: if (input >= 0) grad[0][input] = grad[0][at] * tape[at].slopes[k];
      //? What is the slope of a · a?
      //= a second gradient replaces the first
      //@ harvard-edge/cs249r_book, INSTRUCTOR.md
      //~ 8 engine/same-input-once: if (input >= 0 && (k == 0 || input != tape[at].inputs[0])) grad[0][input] += grad[0][at] * tape[at].slopes[k];
      //? What is the slope of a · a?
      //= an input that stands in both places gets only one of its two gradients
      //~ 17 engine/slopes-exchanged: if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[tape[at].inputs[1] < 0 ? k : 1 - k];
      //? Which slope belongs to which input?
      //= each input gets the gradient that belongs to the other
      //~ 19 engine/slope-alone: if (input >= 0) grad[0][input] += tape[at].slopes[k];
      //? y grows twice as fast with u as u with x. What does x get?
      //= what is handed on is the slope, without the gradient that arrived
      //~ 20 engine/slope-left-out: if (input >= 0) grad[0][input] += grad[0][at];
      //? y = 3 x: what does x get, if 1 arrives at y?
      //= what is handed on is the gradient that arrived, without the slope
      //~ 21 engine/entry-0-left-out: if (input > 0) grad[0][input] += grad[0][at] * tape[at].slopes[k];
      //? Which places are on the tape: is 0 one of them?
      //= the oldest entry gets nothing
      //~ 23 engine/first-slope-for-both: if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[0];
      //? Which slope belongs to the second input?
      //= both inputs get the first slope
      //~ 24 engine/second-slope-for-both: if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[tape[at].inputs[1] < 0 ? k : 1];
      //? Which slope belongs to the first input?
      //= both inputs get the second slope
      //~ 27 engine/divided-by-slope: if (input >= 0) grad[0][input] += grad[0][at] / tape[at].slopes[k];
      //? y = 3 x: what does x get, if 1 arrives at y?
      //= the gradient is divided by the slope
      //~ 31 engine/slopes-exchanged: if (input >= 0) grad[0][input] += grad[0][at] * tape[at].slopes[1 - k];
      //~ 37 engine/ends-at-missing:
      //| if (input < 0) return;
      //| grad[0][input] += grad[0][at] * tape[at].slopes[k];
      //? An input is missing: does your loop go on with the next entry?
      //= the walk ends at the first entry that lacks an input
      //~ 38 engine/whole-gradients: if (input >= 0) grad[0][input] += std::trunc(grad[0][at]) * tape[at].slopes[k];
      //? What becomes of a gradient of 0.7 in an int?
      //= gradients are cut to whole numbers on the way
      //~ 40 engine/missing-slope-read: grad[0][std::max(input, 0)] += (input < 0 ? 0 : grad[0][at]) * tape[at].slopes[k];
      //? The slope of an input that is missing may be NaN. What is 0 times it?
      //= the slope of a missing input is multiplied by 0, and added
      //~ 41 engine/slope-added: if (input >= 0) grad[0][input] += grad[0][at] + tape[at].slopes[k];
      //? y = 3 u, and 2 arrives at y: what does u get?
      //= the slope is added to the gradient that arrived, where it should multiply it
    }
    //+
    //~ 39 engine/consumed: if (!is_leaf(at)) grad[0][at] = 0;
    //? What should grad hold of an entry that has handed its gradient on?
    //= a gradient is cleared once it has been handed on
  }
  //~ 1 engine/no-order:
  //| const std::function<void(int)> hand_on = [&](int at) {
  //|   each_input(at, [&](int input, double slope) {
  //|     grad[0][input] += grad[0][at] * slope;
  //|     hand_on(input);
  //|   });
  //| };
  //| hand_on(y);
  //? When an entry hands its gradient on, has all of it arrived?
  //= a gradient is handed on as soon as some of it arrives, and again when more comes
  //@ karpathy/micrograd#2
  //~ 2 engine/visited-twice:
  //| std::vector<int> order;
  //| const std::function<void(int)> find = [&](int at) {
  //|   each_input(at, [&](int input, double) { find(input); });
  //|   order.push_back(at);
  //| };
  //| find(y);
  //| std::for_each(order.rbegin(), order.rend(), visit);
  //? How many times does your walk come to an entry that was used twice?
  //= an entry hands its gradient on once for each path that leads to it
  //@ sebgao/cTensor#5
  //~ 3 engine/visited-twice:
  //| std::vector<int> queue = {y};
  //| for (std::size_t i = 0; i < queue.size(); ++i) {
  //|   each_input(queue[i], [&](int input, double) { queue.push_back(input); });
  //| }
  //| for (int at : queue) visit(at);
  //~ 4 engine/depth-first:
  //| std::vector<int> order;
  //| const std::function<void(int)> find = [&](int at) {
  //|   if (std::count(order.begin(), order.end(), at) > 0) return;
  //|   order.push_back(at);
  //|   each_input(at, [&](int input, double) { find(input); });
  //| };
  //| find(y);
  //| for (int at : order) visit(at);
  //? An entry is used by two others. Has your walk been at both before it goes on from there?
  //= each entry hands on once, but as soon as the walk first reaches it
  //~ 5 engine/breadth-first:
  //| std::vector<int> queue = {y};
  //| for (std::size_t i = 0; i < queue.size(); ++i) {
  //|   each_input(queue[i], [&](int input, double) {
  //|     if (std::count(queue.begin(), queue.end(), input) == 0) queue.push_back(input);
  //|   });
  //| }
  //| for (int at : queue) visit(at);
  //? Two paths from y to an entry, one short, one long: which part of its gradient comes late?
  //= entries are visited in the order of their distance from y
  //~ 32 engine/depth-first:
  //| std::vector<int> seen;
  //| const std::function<void(int)> hand_on = [&](int at) {
  //|   if (std::count(seen.begin(), seen.end(), at) > 0) return;
  //|   seen.push_back(at);
  //|   each_input(at, [&](int input, double slope) {
  //|     grad[0][input] += grad[0][at] * slope;
  //|     hand_on(input);
  //|   });
  //| };
  //| hand_on(y);
  //~ 33 engine/depth-first:
  //| std::vector<int> stack = {y}, noted = {y};
  //| while (!stack.empty()) {
  //|   const int at = stack.back();
  //|   stack.pop_back();
  //|   visit(at);
  //|   each_input(at, [&](int input, double) {
  //|     if (std::count(noted.begin(), noted.end(), input) > 0) return;
  //|     noted.push_back(input);
  //|     stack.push_back(input);
  //|   });
  //| }
  //~ 34 engine/depth-first:
  //| std::vector<int> stack = {y}, visited;
  //| while (!stack.empty()) {
  //|   const int at = stack.back();
  //|   stack.pop_back();
  //|   if (std::count(visited.begin(), visited.end(), at) > 0) continue;
  //|   visited.push_back(at);
  //|   visit(at);
  //|   each_input(at, [&](int input, double) { stack.push_back(input); });
  //| }
  //~ 35 engine/visited-twice:
  //| std::vector<int> stack = {y};
  //| while (!stack.empty()) {
  //|   const int at = stack.back();
  //|   stack.pop_back();
  //|   visit(at);
  //|   each_input(at, [&](int input, double) { stack.push_back(input); });
  //| }
  //+
  //~ 12 engine/no-zero-grad: for (int at = 0; at < grad.columns; ++at) grad[0][at] += before[at];
  //? What is in grad when your walk begins?
  //= the gradients add up from walk to walk, as nothing sets them to 0
  //@ IBM/aihwkit#446, llm.c PR548
  // end
}
