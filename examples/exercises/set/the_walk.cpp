#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/the_walk.h"

namespace gradus::exercises::set {
namespace in_the_walk {
namespace {

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
  Probe p{name,
          {array("inputs", {2, n}, Row(2 * n, -1)), drawn("slopes", {2, n}, seed + 1, 1, 0.3), number("y", y),
           drawn("before", {1, n}, seed + 2, 1, 0.5)}};
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
          random_tape("a tape of 9, of which y is the seventh", 2, 9, 6, 21),
          random_tape("a tape of 16, of which y is the last", 3, 16, 15, 22),
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
      const std::string edge = fmt::format("from entry {} to entry {}: slope {:.4g}, gradient {:.4g}; {:.4g} had to be added", use, at,
                                           slopes[k][use], grad[use], part);
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
  using namespace in_the_walk;
  return made_the_walk::exercise({
      {
          .right = right,
          .probes = probes(),
          .laws = {{"the gradient of y with respect to itself is 1", seed_is_one,
                    "What stands in grad[0][y] when your walk begins, and does anything reach it later?"},
                   {"an entry's gradient is the sum of what arrives from those made of it", each_is_the_sum_of_its_uses,
                    "What did you add along this edge? And when you did, was the gradient above it complete?"}},
      },
  });
}

}  // namespace gradus::exercises::set
