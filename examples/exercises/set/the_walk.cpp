#include "examples/exercises/set/the_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises::set {
namespace in_the_walk {
namespace {

enum Wrong { no_order, visited_twice, queued_twice, depth_first, breadth_first, oldest_first, overwrites, same_input_once, stale, only_leaves_reset,
             leaves_add, added_to_all, newer_kept, seed_added, no_seed, from_the_end, slopes_exchanged, first_input_only, slope_alone, slope_left_out,
             entry_0_left_out, one_input_skipped, first_slope_twice, second_slope_twice,
             y_not_visited, first_input_twice, divided_by_slope, ends_at_leaf, ends_at_zero, begun_with_one, slopes_exchanged_always };

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
    return made[slope_left_out] ? of(at) : made[divided_by_slope] ? of(at) / slope : of(at) * slope;
  }
  // Does the walk end before this entry?
  bool ends(int at) { return (made[ends_at_leaf] && leaf(at)) || (made[ends_at_zero] && of(at) == 0); }

  void hand_on(int at, double arrived) {
    arrive(at, arrived);
    each_input(at, [&](int input, double slope) { hand_on(input, handed(at, slope)); });
  }
  void visit(int at) {
    each_input(at, [&](int input, double slope) { arrive(input, handed(at, slope)); });
  }
};

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
    for (int at : visits_from(tape, y)) {
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

// Each entry after the leaves is made of two earlier ones, of one, or of one twice.
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
  }
  return p;
}

std::vector<Probe> probes() {
  const Row inputs = {-1, -1, 0, 0, 2, 2, 4, -1, -1, 1, 1, 3, 3, 5}, slopes = {1, 1, 1, 3, 1, 6, 1, 1, 1, 1, 2, 1, 5, 1};
  return {tape_of("y = a a at a = 3", {-1, 0, -1, 0}, {1, 3, 1, 3}, 1, {0, 0}),
          tape_of("y = u + v, v = 5 u, u = 2 a", {-1, 0, 1, 1, -1, -1, -1, 2}, {1, 2, 5, 1, 1, 1, 1, 1}, 3, {0, 0, 0, 0}),
          tape_of("y = s + p + s p, s = a + b, p = a b, at a = 2, b = 3", inputs, slopes, 6, {0, 0, 0, 0, 0, 0, 0}),
          tape_of("y = s + p + s p once more, after a walk", inputs, slopes, 6, {25, 19, 7, 6, 1, 1, 1}),
          tape_of("a leaf as y, after a walk", {-1, -1, 0, 2, -1, -1, 1, -1}, {1, 1, 2, 3, 1, 1, 4, 1}, 1, {6, 0, 3, 1}),
          tape_of("x + x, five times over", {-1, 0, 1, 2, 3, 4, -1, 0, 1, 2, 3, 4}, Row(12, 1), 5, {2, 1, 2, 1, 2, 1}),
          random_tape("a tape of 9, of which y is the seventh", 2, 9, 6, 21), random_tape("a tape of 16, of which y is the last", 3, 16, 15, 22),
          random_tape("a tape of 14, of which y is the twelfth", 4, 14, 11, 23)};
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
              {"engine/no-order", "When an entry hands its gradient on, has all of it arrived?",
               "a gradient is handed on as soon as some of it arrives, and again when more comes", "karpathy/micrograd#2"},
              {"engine/visited-twice", "How many times does your walk come to an entry that was used twice?",
               "an entry hands its gradient on once for each path that leads to it", "sebgao/cTensor#5"},
              {"engine/visited-twice", "How many times does your walk come to an entry that was used twice?"},
              {"engine/depth-first", "An entry is used by two others. Has your walk been at both before it goes on from there?",
               "each entry hands on once, but as soon as the walk first reaches it"},
              {"engine/breadth-first", "Two paths from y to an entry, one short, one long: which part of its gradient comes late?",
               "entries are visited in the order of their distance from y"},
              {"engine/oldest-first", "Which entry has its whole gradient when the walk begins?", "the walk goes from the oldest entry to the newest"},
              {"engine/overwrites", "What is the slope of a · a?", "a second gradient replaces the first", "harvard-edge/cs249r_book, INSTRUCTOR.md"},
              {"engine/same-input-once", "What is the slope of a · a?", "an input that stands in both places gets only one of its two gradients"},
              {"engine/stale-inner-grads", "What is in grad when your walk begins?",
               "gradients of an earlier walk are still there, and are handed on again", "karpathy/micrograd#53"},
              {"engine/only-leaves-reset", "Which entries hold a gradient after a walk: only the leaves?", "what an earlier walk left is cleared in the leaves alone"},
              {"engine/leaves-add", "", "a leaf's gradient is added to what it held, as y.backward() does", "", true},
              {"engine/no-zero-grad", "What is in grad when your walk begins?", "the gradients add up from walk to walk, as nothing sets them to 0", "IBM/aihwkit#446, llm.c PR548"},
              {"engine/newer-kept", "What does y get from entries that are newer than it?", "entries newer than y keep what an earlier walk left in them"},
              {"engine/seed-added", "What is in grad when your walk begins?", "nothing is cleared: even the 1 of y is added to what an earlier walk left"},
              {"engine/no-seed", "How fast does y grow with y?", "y does not begin with a gradient of 1"},
              {"engine/from-the-end", "Is y always the last entry?", "the walk begins at the last entry of the tape, whichever y is"},
              {"engine/slopes-exchanged", "Which slope belongs to which input?", "each input gets the gradient that belongs to the other"},
              {"engine/first-input-only", "How many inputs does a product have?", "only the first input gets a gradient"},
              {"engine/slope-alone", "y grows twice as fast with u as u with x. What does x get?", "what is handed on is the slope, without the gradient that arrived"},
              {"engine/slope-left-out", "y = 3 x: what does x get, if 1 arrives at y?", "what is handed on is the gradient that arrived, without the slope"},
              {"engine/entry-0-left-out", "Which places are on the tape: is 0 one of them?", "the oldest entry gets nothing"},
              {"engine/one-input-skipped", "What does an entry hand on that has one input?", "an entry with a single input hands nothing on"},
              {"engine/first-slope-for-both", "Which slope belongs to the second input?", "both inputs get the first slope"},
              {"engine/second-slope-for-both", "Which slope belongs to the first input?", "both inputs get the second slope"},
              {"engine/y-not-visited", "Does your loop visit y? And whose gradient does a slope multiply: the entry's, or its input's?", "nothing comes from y: the walk begins before it, or multiplies by the gradients of the inputs, which are still 0"},
              {"engine/first-input-twice", "Which places does an entry have: inputs[0] and …?", "both gradients go to the first input"},
              {"engine/divided-by-slope", "y = 3 x: what does x get, if 1 arrives at y?", "the gradient is divided by the slope"},
              {"engine/ends-at-leaf", "Is a leaf always older than all that has inputs?", "the walk ends at the first leaf"},
              {"engine/ends-at-zero", "Is there anything older than an entry of gradient 0 that still gets one?", "the walk ends at the first gradient of 0"},
              {"engine/begun-with-one", "Which gradient begins with 1?", "all gradients begin with 1, not that of y alone"},
              {"engine/slopes-exchanged", "Which slope belongs to which input?"},
          },
      .probes = probes(),
      .laws = {{"the gradient of y with respect to itself is 1", seed_is_one, "What stands in grad[0][y] when your walk begins, and does anything reach it later?"},
               {"an entry's gradient is the sum of what arrives from those made of it", each_is_the_sum_of_its_uses, "What did you add along this edge? And when you did, was the gradient above it complete?"}},
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
      .hints = {"An entry was used three times. When may it hand its gradient on?",
                "Before the walk: what must every gradient be? In the walk: one loop over the entries, one over the two inputs.",
                "All that was made of an entry is newer than it. So from the newest to the oldest, each is complete at its turn.",
                "All gradients are 0, but that of y is 1. Then for each entry z, newest first: dy/dx grows by dy/dz · dz/dx for each input x."},
      .done = "The order is what makes it right: newest to oldest, so that nothing is handed on before it is complete. (A recursion that hands on "
              "only what has just arrived is right, too; but 20 doublings x + x would take it 2,097,151 visits, and this walk 21.)",
      .stages = {in_the_walk::walk_stage()},
  };
}

}  // namespace gradus::exercises::set
