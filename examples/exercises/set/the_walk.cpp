#include "examples/exercises/set/the_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises::set {
namespace in_the_walk {
namespace {

enum Wrong { no_order, visited_twice, queued_twice, depth_first, breadth_first, oldest_first, overwrites, same_input_once, stale, only_leaves_reset,
             leaves_add, added_to_all, newer_kept, seed_added, no_seed, from_the_end, slopes_exchanged, first_input_only, slope_alone, slope_left_out,
             entry_0_left_out, one_input_skipped, first_slope_twice, second_slope_twice,
             y_not_visited, first_input_twice, divided_by_slope, ends_at_leaf, ends_at_zero, begun_with_one, slopes_exchanged_always,
             depth_at_once, stacked, stacked_again, stacked_twice, without_first, ends_at_missing, whole, consumed, slope_added, missing_slope_read };

// A tape, a column for each entry, with the gradients of a walk that may make mistakes.
struct Tape {
  In inputs, slopes;
  std::vector<double> grad;
  Made made;

  bool leaf(int at) const { return inputs[0][at] < 0 && inputs[1][at] < 0; }

  // Which slope input k gets.
  int slope_of(int at, int k) const {
    if (made[first_slope_twice]) return 0;
    if (made[slopes_exchanged_always]) return 1 - k;
    if (inputs[1][at] < 0) return k;
    return made[slopes_exchanged] ? 1 - k : made[second_slope_twice] ? 1 : k;
  }

  // Calls f(input, what it gets) for the inputs of an entry.
  template <typename F> void each_input(int at, const F& f) const {
    if (made[one_input_skipped] && (inputs[0][at] < 0 || inputs[1][at] < 0)) return;
    if (made[without_first] && inputs[0][at] < 0) return;
    for (int k = 0; k < (made[first_input_only] ? 1 : 2); ++k) {
      const int input = static_cast<int>(inputs[made[first_input_twice] ? 0 : k][at]);
      if (input < (made[entry_0_left_out] ? 1 : 0)) continue;
      if (made[same_input_once] && k == 1 && inputs[0][at] == inputs[1][at]) continue;
      f(input, slopes[slope_of(at, k)][at]);
    }
  }

  double& of(int at) { return grad[at]; }
  void arrive(int at, double value) { of(at) = made[overwrites] ? value : of(at) + value; }
  double handed(int at, double slope) {
    if (made[slope_alone]) return slope;
    const double arrived = made[whole] ? std::trunc(of(at)) : of(at);
    if (made[slope_added]) return arrived + slope;
    return made[slope_left_out] ? arrived : made[divided_by_slope] ? arrived / slope : arrived * slope;
  }
  // Does the walk end before this entry?
  bool ends(int at) {
    if (made[ends_at_missing] && (inputs[0][at] < 0 || inputs[1][at] < 0)) return visit_first(at), true;
    return (made[ends_at_leaf] && leaf(at)) || (made[ends_at_zero] && of(at) == 0);
  }

  void hand_on(int at, double arrived) {
    arrive(at, arrived);
    each_input(at, [&](int input, double slope) { hand_on(input, handed(at, slope)); });
  }
  void visit(int at) {
    each_input(at, [&](int input, double slope) { arrive(input, handed(at, slope)); });
    for (int k = 0; k < 2 && made[missing_slope_read]; ++k) {
      if (inputs[k][at] < 0) of(0) += 0 * slopes[k][at];
    }
    if (made[consumed] && !leaf(at)) of(at) = 0;
  }
  void visit_first(int at) {  // the inputs before the first that is missing
    if (inputs[0][at] >= 0) arrive(static_cast<int>(inputs[0][at]), handed(at, slopes[slope_of(at, 0)][at]));
  }
};

// Hands on to an input and goes there at once, before the other input gets anything.
void depth_at_once_from(Tape& tape, int at, std::vector<bool>& seen) {
  if (seen[static_cast<std::size_t>(at)]) return;
  seen[static_cast<std::size_t>(at)] = true;
  tape.each_input(at, [&](int input, double slope) {
    tape.arrive(input, tape.handed(at, slope));
    depth_at_once_from(tape, input, seen);
  });
}

// The entry that was noted last comes first. Noted once, or each time that it is met, and then visited once or each time.
std::vector<int> from_stack(const Tape& tape, int y, Made made) {
  std::vector<int> visits, stack = {y}, noted = {y};
  const auto among = [](const std::vector<int>& some, int at) { return std::count(some.begin(), some.end(), at) > 0; };
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    if (made[stacked_again] && among(visits, at)) continue;
    visits.push_back(at);
    tape.each_input(at, [&](int input, double) {
      if (made[stacked] && among(noted, input)) return;
      noted.push_back(input);
      stack.push_back(input);
    });
  }
  return visits;
}

void depth(const Tape& tape, int at, std::vector<int>& visits) {
  if (std::count(visits.begin(), visits.end(), at) > 0) return;
  visits.push_back(at);
  tape.each_input(at, [&](int input, double) { depth(tape, input, visits); });
}

// Inputs before what is made of them, an entry once for each path that leads to it.
void every_path(const Tape& tape, int at, std::vector<int>& visits) {
  tape.each_input(at, [&](int input, double) { every_path(tape, input, visits); });
  visits.push_back(at);
}

std::vector<int> breadth(const Tape& tape, int y, bool again) {
  std::vector<int> visits = {y};
  for (std::size_t i = 0; i < visits.size(); ++i) {
    tape.each_input(visits[i], [&](int input, double) {
      if (again || std::count(visits.begin(), visits.end(), input) == 0) visits.push_back(input);
    });
  }
  return visits;
}

std::vector<int> visits_from(const Tape& tape, int y) {
  std::vector<int> visits;
  if (tape.made[stacked] || tape.made[stacked_again] || tape.made[stacked_twice]) return from_stack(tape, y, tape.made);
  if (tape.made[breadth_first] || tape.made[queued_twice]) return breadth(tape, y, tape.made[queued_twice]);
  if (tape.made[depth_first]) {
    depth(tape, y, visits);
    return visits;
  }
  if (tape.made[visited_twice]) every_path(tape, y, visits);
  else for (int at = 0; at <= y; ++at) visits.push_back(at);
  if (!tape.made[oldest_first]) std::reverse(visits.begin(), visits.end());
  return visits;
}

Outputs with(const Probe& p, Made made) {
  Tape tape{p.in("inputs"), p.in("slopes"), p["before"].numbers, made};
  const int n = tape.inputs.columns, y = made[from_the_end] ? n - 1 : p.whole("y");
  for (int at = 0; at < n && !made[stale] && !made[seed_added]; ++at) {
    const bool kept = (made[newer_kept] && at > y) || (tape.leaf(at) ? made[leaves_add] : made[only_leaves_reset]);
    if (!kept) tape.of(at) = made[begun_with_one] ? 1 : 0;
  }
  const double seed = made[no_seed] ? 0 : 1;
  if (made[no_order]) {
    tape.hand_on(y, seed);
  } else {
    if (!made[no_seed]) tape.of(y) = made[seed_added] ? tape.of(y) + seed : seed;
    std::vector<bool> seen(static_cast<std::size_t>(n));
    if (made[depth_at_once]) depth_at_once_from(tape, y, seen);
    for (int at : made[depth_at_once] ? std::vector<int>() : visits_from(tape, y)) {
      if (made[y_not_visited] && at == y) continue;
      if (tape.ends(at)) break;
      tape.visit(at);
    }
  }
  for (int at = 0; at < n && made[added_to_all]; ++at) tape.of(at) += p.in("before")[0][at];
  return {array("grad", {1, n}, tape.grad)};
}

using Row = std::vector<double>;

// `inputs` and `slopes` of all entries: the first ones, then the second ones. `before`: what the gradients are when it begins.
Probe tape_of(const std::string& name, const Row& inputs, const Row& slopes, int y, const Row& before) {
  const int n = static_cast<int>(before.size());
  return {name, {array("inputs", {2, n}, inputs), array("slopes", {2, n}, slopes), number("y", y), array("before", {1, n}, before)}};
}

// Each entry after the leaves is made of two earlier ones, of one, which may be its second input, or of one twice. The slope of an
// input that is missing is NaN: nobody needs it.
Probe random_tape(const std::string& name, int leaves, int n, int y, std::uint64_t seed) {
  Generator random(seed);
  Probe p{name, {array("inputs", {2, n}, Row(2 * n, -1)), drawn("slopes", {2, n}, seed + 1, 1, 0.3),
                 number("y", y), drawn("before", {1, n}, seed + 2, 1, 0.5)}};
  Row& inputs = p.inputs[0].numbers;
  for (int at = 0; at < n; ++at) {
    const auto first = at, second = n + at;
    if (at < leaves || at == n / 2) continue;
    inputs[first] = static_cast<double>(random.below(at));
    const int64_t kind = random.below(6);
    inputs[second] = kind == 0 ? -1 : kind == 1 ? inputs[first] : static_cast<double>(random.below(at));
    if (kind == 2) inputs[first] = -1;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] < 0) p.inputs[1].numbers[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return p;
}

std::vector<Probe> probes() {
  const Row inputs = {-1, -1, 0, 0, 2, 2, 4, -1, -1, 1, 1, 3, 3, 5}, slopes = {1, 1, 1, 3, 1, 6, 1, 1, 1, 1, 2, 1, 5, 1};
  return {tape_of("y = a a at a = 3", {-1, 0, -1, 0}, {1, 3, 1, 3}, 1, {0, 0}),
          tape_of("y = u + v, v = 5 u, u = 2 a", {-1, 0, -1, 1, -1, -1, 1, 2}, {1, 2, 0, 1, 1, 1, 5, 1}, 3, {0, 0, 0, 0}),
          tape_of("y = s + p + s p, s = a + b, p = a b, at a = 2, b = 3", inputs, slopes, 6, {0, 0, 0, 0, 0, 0, 0}),
          tape_of("y = s + p + s p once more, after a walk", inputs, slopes, 6, {25, 19, 7, 6, 1, 1, 1}),
          tape_of("a leaf as y, after a walk", {-1, -1, 0, 2, -1, -1, 1, -1}, {1, 1, 2, 3, 1, 1, 4, 1}, 1, {6, 0, 3, 1}),
          tape_of("x + x, five times over", {-1, 0, 1, 2, 3, 4, -1, 0, 1, 2, 3, 4}, Row(12, 1), 5, {2, 1, 2, 1, 2, 1}),
          random_tape("a tape of 9, of which y is the seventh", 2, 9, 6, 21), random_tape("a tape of 16, of which y is the last", 3, 16, 15, 22),
          random_tape("a tape of 14, of which y is the twelfth", 4, 14, 11, 24)};
}

Outputs right(const Probe& p) {
  const In inputs = p.in("inputs"), slopes = p.in("slopes");
  const int y = p.whole("y");
  Tensors tape;
  for (int at = 0; at < inputs.columns; ++at) {
    Tensor value;
    for (int k = 0; k < 2; ++k) {
      if (inputs[k][at] < 0) continue;
      const Tensor part = slopes[k][at] * tape[static_cast<std::size_t>(inputs[k][at])];
      value = value.defined() ? value + part : part;
    }
    tape.push_back(value.defined() ? value : ones({}, DType::f64).set_requires_grad());
  }
  const Tensors grads = grad({tape[y]}, tape, {.allow_unused = true});
  Row numbers;
  for (const Tensor& one : grads) numbers.push_back(one.defined() ? one.item() : 0);
  return {array("grad", {1, inputs.columns}, numbers)};
}

std::string seed_is_one(const Probe& p, const Outputs& outputs) {
  const double of_y = outputs[0].numbers[p.whole("y")];
  return std::abs(of_y - 1) < 1e-9 ? "" : fmt::format("it is {:.4g}", of_y);
}

// The newest edge to an entry on which what is missing, or too much, has been lost or added: or else the newest of all.
std::string edge_to(const Probe& p, const Row& grad, int at, double missing) {
  const In inputs = p.in("inputs"), slopes = p.in("slopes");
  std::string found;
  for (int use = p.whole("y"); use > at; --use) {
    for (int k = 0; k < 2; ++k) {
      if (inputs[k][use] != at) continue;
      const double part = grad[use] * slopes[k][use];
      const std::string edge = fmt::format("from entry {} to entry {}: slope {:.4g}, gradient {:.4g}; {:.4g} had to be added", use, at, slopes[k][use], grad[use], part);
      if (std::abs(part - missing) <= 1e-9 * (1 + std::abs(part))) return edge + ", and was not";
      if (found.empty()) found = edge;
    }
  }
  return found;
}

std::string each_is_the_sum_of_its_uses(const Probe& p, const Outputs& outputs) {
  const In inputs = p.in("inputs"), slopes = p.in("slopes");
  const int y = p.whole("y");
  const Row& grad = outputs[0].numbers;
  for (int at = inputs.columns - 1; at >= 0; --at) {  // in the order of the walk
    double sum = 0;
    for (int use = 0; use <= y; ++use) {
      for (int k = 0; k < 2; ++k) sum += inputs[k][use] == at ? grad[use] * slopes[k][use] : 0;
    }
    const double mine = grad[at];
    if (at != y && std::abs(mine - sum) > 1e-6 * (1 + std::abs(sum))) {
      const std::string edge = edge_to(p, grad, at, sum - mine);
      const std::string all = fmt::format("entry {} has {}, where {} had to arrive", at, beside(mine, sum), beside(sum, mine));
      return edge.empty() ? all : edge + "; " + all;
    }
  }
  return "";
}

Stage walk_stage() {
  return {
      .function = "walk",
      .right = right,
      .with = with,
      .mistakes =
          {
              {no_order, "engine/no-order", "When an entry hands its gradient on, has all of it arrived?",
               "a gradient is handed on as soon as some of it arrives, and again when more comes", "karpathy/micrograd#2"},
              {visited_twice, "engine/visited-twice", "How many times does your walk come to an entry that was used twice?",
               "an entry hands its gradient on once for each path that leads to it", "sebgao/cTensor#5"},
              {queued_twice, "engine/visited-twice", "How many times does your walk come to an entry that was used twice?"},
              {depth_first, "engine/depth-first", "An entry is used by two others. Has your walk been at both before it goes on from there?",
               "each entry hands on once, but as soon as the walk first reaches it"},
              {breadth_first, "engine/breadth-first", "Two paths from y to an entry, one short, one long: which part of its gradient comes late?",
               "entries are visited in the order of their distance from y"},
              {oldest_first, "engine/oldest-first", "Which entry has its whole gradient when the walk begins?", "the walk goes from the oldest entry to the newest"},
              {overwrites, "engine/overwrites", "What is the slope of a · a?", "a second gradient replaces the first", "harvard-edge/cs249r_book, INSTRUCTOR.md"},
              {same_input_once, "engine/same-input-once", "What is the slope of a · a?", "an input that stands in both places gets only one of its two gradients"},
              {stale, "engine/stale-inner-grads", "What is in grad when your walk begins?",
               "gradients of an earlier walk are still there, and are handed on again", "karpathy/micrograd#53"},
              {only_leaves_reset, "engine/only-leaves-reset", "Which entries hold a gradient after a walk: only the leaves?", "what an earlier walk left is cleared in the leaves alone"},
              {leaves_add, "engine/leaves-add", "", "a leaf's gradient is added to what it held, as y.backward() does", "", true},
              {added_to_all, "engine/no-zero-grad", "What is in grad when your walk begins?", "the gradients add up from walk to walk, as nothing sets them to 0", "IBM/aihwkit#446, llm.c PR548"},
              {newer_kept, "engine/newer-kept", "How fast does y grow with an entry that is newer than y?", "entries newer than y keep what an earlier walk left in them"},
              {seed_added, "engine/seed-added", "What is in grad when your walk begins?", "nothing is cleared: even the 1 of y is added to what an earlier walk left"},
              {no_seed, "engine/no-seed", "How fast does y grow with y?", "y does not begin with a gradient of 1"},
              {from_the_end, "engine/from-the-end", "Is y always the last entry?", "the walk begins at the last entry of the tape, whichever y is"},
              {slopes_exchanged, "engine/slopes-exchanged", "Which slope belongs to which input?", "each input gets the gradient that belongs to the other"},
              {first_input_only, "engine/first-input-only", "How many inputs does a product have?", "only the first input gets a gradient"},
              {slope_alone, "engine/slope-alone", "y grows twice as fast with u as u with x. What does x get?", "what is handed on is the slope, without the gradient that arrived"},
              {slope_left_out, "engine/slope-left-out", "y = 3 x: what does x get, if 1 arrives at y?", "what is handed on is the gradient that arrived, without the slope"},
              {entry_0_left_out, "engine/entry-0-left-out", "Which places are on the tape: is 0 one of them?", "the oldest entry gets nothing"},
              {one_input_skipped, "engine/one-input-skipped", "What does an entry hand on that has one input?", "an entry with a single input hands nothing on"},
              {first_slope_twice, "engine/first-slope-for-both", "Which slope belongs to the second input?", "both inputs get the first slope"},
              {second_slope_twice, "engine/second-slope-for-both", "Which slope belongs to the first input?", "both inputs get the second slope"},
              {y_not_visited, "engine/y-not-visited", "Does your loop visit y? Whose gradient does a slope multiply: the entry's, or its input's? And is it cleared after it has come?", "nothing comes from y: the walk begins before it, multiplies by the gradients of the inputs, which are still 0, or clears what has arrived"},
              {first_input_twice, "engine/first-input-twice", "Which places does an entry have: inputs[0] and …?", "both gradients go to the first input"},
              {divided_by_slope, "engine/divided-by-slope", "y = 3 x: what does x get, if 1 arrives at y?", "the gradient is divided by the slope"},
              {ends_at_leaf, "engine/ends-at-leaf", "Is a leaf always older than all that has inputs?", "the walk ends at the first leaf"},
              {ends_at_zero, "engine/ends-at-zero", "Is there anything older than an entry of gradient 0 that still gets one?", "the walk ends at the first gradient of 0"},
              {begun_with_one, "engine/begun-with-one", "Which gradient begins with 1?", "all gradients begin with 1, not that of y alone"},
              {slopes_exchanged_always, "engine/slopes-exchanged", "Which slope belongs to which input?"},
              {depth_at_once, "engine/depth-first", "An entry is used by two others. Has your walk been at both before it goes on from there?"},
              {stacked, "engine/depth-first", "An entry is used by two others. Has your walk been at both before it goes on from there?"},
              {stacked_again, "engine/depth-first", "An entry is used by two others. Has your walk been at both before it goes on from there?"},
              {stacked_twice, "engine/visited-twice", "How many times does your walk come to an entry that was used twice?"},
              {without_first, "engine/first-input-missing", "The first input may be missing. Is there always no second one then?",
               "an entry without a first input hands nothing on, though it has a second one"},
              {ends_at_missing, "engine/ends-at-missing", "An input is missing: does your loop go on with the next entry?",
               "the walk ends at the first entry that lacks an input"},
              {whole, "engine/whole-gradients", "What becomes of a gradient of 0.7 in an int?", "gradients are cut to whole numbers on the way"},
              {consumed, "engine/consumed", "What should grad hold of an entry that has handed its gradient on?", "a gradient is cleared once it has been handed on"},
              {missing_slope_read, "engine/missing-slope-read", "The slope of an input that is missing may be NaN. What is 0 times it?", "the slope of a missing input is multiplied by 0, and added"},
              {slope_added, "engine/slope-added", "y = 3 u, and 2 arrives at y: what does u get?", "the slope is added to the gradient that arrived, where it should multiply it"},
          },
      .probes = probes(),
      .laws = {{"the gradient of y with respect to itself is 1", seed_is_one, "What stands in grad[0][y] when your walk begins, and does anything reach it later?"},
               {"an entry's gradient is the sum of what arrives from those made of it", each_is_the_sum_of_its_uses, "What did you add along this edge? And when you did, was the gradient above it complete?"}},
      .hints = {"An entry was used three times. When may it hand its gradient on?",
                "Before the walk: what must every gradient be? In the walk: one loop over the entries, one over the two inputs.",
                "All that was made of an entry is newer than it. So from the newest to the oldest, each is complete at its turn.",
                "All gradients are 0, but that of y is 1. Then for each entry z, newest first: dy/dx grows by dy/dz · dz/dx for each input x."},
  };
}

}  // namespace
}  // namespace in_the_walk

Functions the_walk(const Walk& walk) {
  return {[walk](const Probe& p) {
    const int n = columns_of(p["before"]);
    constexpr double kBeside = 0.625;  // a number, so that one that is added to it is seen, too
    std::vector<double> paper(n + 2, kBeside);
    std::copy(p["before"].numbers.begin(), p["before"].numbers.end(), paper.begin() + 1);
    walk(p, p.whole("y"), Out{1, n, paper.data() + 1});
    if (paper.front() != kBeside || paper.back() != kBeside) throw WroteOutside{"grad"};
    return Outputs{array("grad", {1, n}, std::vector<double>(paper.begin() + 1, paper.end() - 1))};
  }};
}

Exercise the_walk_exercise() {
  return {
      .number = 4,
      .id = "the-walk",
      .title = "the walk back over a tape",
      .section = "ch00.md",
      .needs = {"rule-mul"},
      .minutes = 30,
      .done = "The order is what makes it right: newest to oldest, so that nothing is handed on before it is complete. (A recursion that hands on "
              "only what has just arrived is right, too; but 20 doublings x + x would take it 2,097,151 visits, and this walk 21.)",
      .stages = {in_the_walk::walk_stage()},
  };
}

}  // namespace gradus::exercises::set
