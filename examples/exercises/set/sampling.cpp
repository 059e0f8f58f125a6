#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/sampling.h"
#include "nn/activation/softmax.h"

namespace gradus::exercises::set {
namespace in_sampling {
namespace {

using Row = std::vector<double>;

template <typename F> Outputs of_each_row(const Probe& p, const std::string& input, const std::string& output, const F& f) {
  Array all = p[input];
  all.name = output;
  const auto n = static_cast<std::ptrdiff_t>(columns_of(all));
  for (auto row = all.numbers.begin(); row != all.numbers.end(); row += n) {
    const Row changed = f(Row(row, row + n));
    std::copy(changed.begin(), changed.end(), row);
  }
  return {all};
}

Row softmax_of(const Row& scores) { return array_of("p", nn::softmax(from_vector(scores, {static_cast<int64_t>(scores.size())}))).numbers; }

std::vector<std::size_t> from_greatest(const Row& row, bool last_of_equals = false) {
  std::vector<std::size_t> ids(row.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  if (last_of_equals) std::reverse(ids.begin(), ids.end());
  std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return row[a] > row[b]; });
  return ids;
}

// What is left of a row when these ids are kept.
Row left_of(const Row& row, const std::vector<std::size_t>& kept) {
  Row left(row.size());
  double sum = 0;
  for (std::size_t id : kept) sum += left[id] = row[id];
  for (double& one : left) one /= sum;
  return left;
}

Row top_k_of(const Row& p, int k) {
  std::vector<std::size_t> ids = from_greatest(p);
  if (k > 0) ids.resize(std::min(ids.size(), static_cast<std::size_t>(k)));
  return left_of(p, ids);
}

Row top_p_of(const Row& p, double top_p) {
  std::vector<std::size_t> ids = from_greatest(p);
  std::size_t count = 0;
  for (double reached = 0; count < ids.size() && (count == 0 || reached < top_p);) reached += p[ids[count++]];
  ids.resize(count);
  return left_of(p, ids);
}

Row greedy_of(const Row& scores) { return top_k_of(softmax_of(scores), 1); }

Outputs right_penalty(const Probe& p) {
  const Tensor scores = tensor_of(p["scores"]);
  Row come(p["scores"].numbers.size());
  for (double id : p["seen"].numbers) come[static_cast<std::size_t>(id)] = 1;
  const Tensor lower = minimum(scores / p.number("penalty"), scores * p.number("penalty"));  // for a penalty above 1
  const Tensor mask = reshape(from_vector(come, {static_cast<int64_t>(come.size())}), scores.shape());
  return {array_of("y", mask * lower + (1 - mask) * scores)};
}

Outputs right_top_k(const Probe& p) {
  return of_each_row(p, "given", "left", [&](const Row& row) { return top_k_of(row, p.whole("k")); });
}

Outputs right_top_p(const Probe& p) {
  return of_each_row(p, "given", "left", [&](const Row& row) { return top_p_of(row, p.number("top_p")); });
}

// As nn::draw does it, which draws from this and does not show it.
Outputs right_next(const Probe& p) {
  const double temperature = p.number("temperature");
  return of_each_row(p, "scores", "p", [&](const Row& row) {
    if (temperature == 0) return greedy_of(row);
    Row divided = row;
    for (double& one : divided) one /= temperature;
    return top_p_of(top_k_of(softmax_of(divided), p.whole("k")), p.number("top_p"));
  });
}

Array distributions(int rows, int n, std::uint64_t seed) {
  return array_of("given", nn::softmax(tensor_of(drawn("x", {rows, n}, seed, 1.5))));
}

std::vector<Probe> penalty_probes() {
  const auto probe = [](const std::string& name, const Array& scores, const std::vector<double>& seen, double penalty) {
    return Probe{name, {scores, array("seen", {1, static_cast<int>(seen.size())}, seen), number("penalty", penalty)}};
  };
  return {probe("four scores, ids 1 and 3 have come", array("scores", {1, 4}, {3, 2, -1, -4}), {3, 1}, 2),
          probe("seven scores, two ids have come more than once", drawn("scores", {1, 7}, 401, 2, 0.1), {2, 5, 5, 0, 2, 5}, 1.3),
          probe("nine scores, the first and the last id have come", drawn("scores", {1, 9}, 402, 2, -0.1), {8, 0, 3}, 1.7)};
}

std::vector<Probe> top_k_probes() {
  const auto probe = [](const std::string& name, const Array& p, int k) { return Probe{name, {p, number("k", k)}}; };
  return {probe("a row of 4, k = 2", array("given", {1, 4}, {0.1, 0.5, 0.15, 0.25}), 2),
          probe("three rows of 7, k = 3", distributions(3, 7, 411), 3),
          probe("two rows of 5, k = 1", distributions(2, 5, 412), 1),
          probe("two rows of 6, k = 0", distributions(2, 6, 413), 0),
          probe("two rows of 3, k = 5", distributions(2, 3, 414), 5),
          probe("a row of 6, three of them equal, k = 2", array("given", {1, 6}, {0.05, 0.2, 0.25, 0.2, 0.2, 0.1}), 2),
          probe("a row of 6, the two likeliest of them equal, k = 2", array("given", {1, 6}, {0.1, 0.3, 0.05, 0.3, 0.15, 0.1}), 2)};
}

std::vector<Probe> top_p_probes() {
  const auto probe = [](const std::string& name, const Array& p, double top_p) { return Probe{name, {p, number("top_p", top_p)}}; };
  return {
      probe("a row of 3, top_p = 0.9", array("given", {1, 3}, {0.09, 0.5, 0.41}), 0.9),
      probe("three rows of 7, top_p = 0.6", distributions(3, 7, 421), 0.6),
      probe("two rows of 6, top_p = 0.95", distributions(2, 6, 422), 0.95),
      probe("two rows of 5, top_p = 1", array("given", {2, 5}, {0.25, 0.0625, 0.5, 0.125, 0.0625, 0.0625, 0.25, 0.125, 0.0625, 0.5}), 1),
      probe("two rows of 4, top_p = 0", distributions(2, 4, 424), 0),
      probe("a row of 6, three of them equal, top_p = 0.4", array("given", {1, 6}, {0.05, 0.2, 0.25, 0.2, 0.2, 0.1}), 0.4),
      probe("a row of 4, the first two of which have 0.75 exactly, top_p = 0.75", array("given", {1, 4}, {0.125, 0.25, 0.5, 0.125}), 0.75)};
}

std::vector<Probe> next_probes() {
  const auto probe = [](const std::string& name, const Array& scores, double temperature, int k, double top_p) {
    return Probe{name, {scores, number("temperature", temperature), number("k", k), number("top_p", top_p)}};
  };
  const auto scores = [](int rows, int n, std::uint64_t seed, double around = 0) {
    return drawn("scores", {rows, n}, seed, 1.5, around / 1.5);
  };
  return {
      probe("a row of 3, whose e^x are 1, 4 and 5, at a temperature of ½, top_p = 0.99",
            array("scores", {1, 3}, {0, std::log(4), std::log(5)}), 0.5, 0, 0.99),
      probe("two rows of 5, at a temperature of 2, k = 4 and top_p = 0.7", scores(2, 5, 431), 2, 4, 0.7),
      probe("three rows of 7, at a temperature of 0.6, k = 5 and top_p = 0.99", scores(3, 7, 432), 0.6, 5, 0.99),
      probe("two rows of 9, at a temperature of 1.5, top_p = 0.8", scores(2, 9, 433), 1.5, 0, 0.8),
      probe("two rows of 6, of scores around 900, at a temperature of 1.2, k = 3 and top_p = 0.99", scores(2, 6, 434, 900), 1.2, 3, 0.99),
      probe("two rows of 4, of scores around −900, at a temperature of 0.8, top_p = 0.9", scores(2, 4, 435, -900), 0.8, 0, 0.9),
      probe("two rows of 8, at a temperature of 3, k = 6 and top_p = 0.85", scores(2, 8, 437), 3, 6, 0.85),
      probe("two rows of 3, the first around 1000", array("scores", {2, 3}, {1000, 999, 0, 1, 2, 0}), 1, 0, 1),
      probe("a row of 3, at a temperature of 0.005", array("scores", {1, 3}, {5, 4, 1}), 0.005, 0, 1),
      probe("two rows of 5, at a temperature of 0", scores(2, 5, 436), 0, 0, 1),
      probe("three rows of 3, the last below 0, at a temperature of 0", array("scores", {3, 3}, {1, 2, 0, 5, 3, 1, -3, -1, -2}), 0, 0, 1),
      probe("a row of 4, two of them the greatest, at a temperature of 0", array("scores", {1, 4}, {-1, 2, 0.5, 2}), 0, 0, 1)};
}

std::string never_up(const Probe& p, const Outputs& outputs) {
  const Row &before = p["scores"].numbers, &after = outputs[0].numbers;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!(after[i] <= before[i])) return fmt::format("id {} goes from {:.4g} to {:.4g}", i, before[i], after[i]);
  }
  return "";
}

std::string only_seen(const Probe& p, const Outputs& outputs) {
  const Row &before = p["scores"].numbers, &after = outputs[0].numbers, &seen = p["seen"].numbers;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::count(seen.begin(), seen.end(), static_cast<double>(i)) == 0 && after[i] != before[i]) return fmt::format("id {} has not", i);
  }
  return "";
}

std::string seen_go_down(const Probe& p, const Outputs& outputs) {
  for (double id : p["seen"].numbers) {
    const auto i = static_cast<std::size_t>(id);
    const double before = p["scores"].numbers[i], after = outputs[0].numbers[i];
    if (!(after < before)) return fmt::format("id {} goes from {:.4g} to {:.4g}", i, before, after);
  }
  return "";
}

std::string sums_to_1(const Probe&, const Outputs& outputs) {
  const In p = in(outputs[0]);
  for (int i = 0; i < p.rows; ++i) {
    const double sum = std::accumulate(p[i], p[i] + p.columns, 0.0);
    if (!(std::abs(sum - 1) < 1e-9)) return fmt::format("row {} sums to {:.9g}", i, sum);
  }
  return "";
}

std::string k_are_left(const Probe& p, const Outputs& outputs) {
  const In q = in(outputs[0]);
  const int k = p.whole("k"), expected = k == 0 ? q.columns : std::min(k, q.columns);
  for (int i = 0; i < q.rows; ++i) {
    const auto left = q.columns - std::count(q[i], q[i] + q.columns, 0.0);
    if (left != expected) return fmt::format("in row {} it is {}, not {}", i, left, expected);
  }
  return "";
}

std::string fewest_that_reach(const Probe& p, const Outputs& outputs) {
  const In given = p.in("given"), q = in(outputs[0]);
  for (int i = 0; i < q.rows; ++i) {
    double sum = 0, least = 1;
    int left = 0;
    for (int j = 0; j < q.columns; ++j) {
      if (q[i][j] == 0) continue;
      sum += given[i][j];
      least = std::min(least, given[i][j]);
      ++left;
    }
    if (left == 0) return fmt::format("in row {} nothing is left", i);
    if (sum < p.number("top_p") - 1e-9) return fmt::format("in row {} what is left had only {:.4g}", i, sum);
    if (left > 1 && sum - least > p.number("top_p") + 1e-9) return fmt::format("in row {} one fewer had {:.4g}", i, sum - least);
  }
  return "";
}

std::string same_ratios(const Probe& p, const Outputs& outputs) {
  const In given = p.in("given"), q = in(outputs[0]);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < q.columns; ++j) {
      const int top = static_cast<int>(std::max_element(given[i], given[i] + q.columns) - given[i]);
      const double ratio = q[i][j] / q[i][top], expected = given[i][j] / given[i][top];
      if (q[i][j] == 0 || std::abs(ratio - expected) < 1e-9) continue;
      return fmt::format("in row {} the ratio of ids {} and {} was {} and is {}", i, j, top, beside(expected, ratio),
                         beside(ratio, expected));
    }
  }
  return "";
}

std::string greatest_stays(const Probe& p, const Outputs& outputs) {
  const In scores = p.in("scores"), q = in(outputs[0]);
  for (int i = 0; i < q.rows; ++i) {
    const auto top = std::max_element(scores[i], scores[i] + q.columns) - scores[i];
    const double most = *std::max_element(q[i], q[i] + q.columns);
    if (!(q[i][top] >= most - 1e-12)) return fmt::format("in row {} id {} has {:.4g}", i, top, q[i][top]);
  }
  return "";
}

}  // namespace
}  // namespace in_sampling

Functions sampling(void (*penalize)(In, const int*, int, double, Out), void (*keep_top_k)(In, int, Out),
                   void (*keep_top_p)(In, double, Out), void (*next_id)(In, double, int, double, Out, Out)) {
  return {[=](const Probe& p) {
            const std::vector<int> seen(p["seen"].numbers.begin(), p["seen"].numbers.end());
            Sheet y("y", p["scores"].shape);
            penalize(p.in("scores"), seen.data(), static_cast<int>(seen.size()), p.number("penalty"), y.out());
            return Outputs{y.array()};
          },
          by_names(keep_top_k, {"given", "k", "left = given"}), by_names(keep_top_p, {"given", "top_p", "left = given"}),
          [=](const Probe& probe) {
            Sheet room("room", probe["scores"].shape), p("p", probe["scores"].shape);
            next_id(probe.in("scores"), probe.number("temperature"), probe.whole("k"), probe.number("top_p"), room.out(), p.out());
            room.array();  // was anything written beside it?
            return Outputs{p.array()};
          }};
}

Exercise sampling_exercise() {
  using namespace in_sampling;
  return made_sampling::exercise({
      {
          .right = right_penalty,
          .probes = penalty_probes(),
          .laws = {{"no score goes up", never_up, "What do you do to a score that is below 0?"},
                   {"what has come goes down", seen_go_down, "For which ids do you change the score, and which way?"},
                   {"only what has come is changed", only_seen, "How do you find out whether an id has come?"}},
      },
      {
          .right = right_top_k,
          .probes = top_k_probes(),
          .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
                   {"k ids are left", k_are_left, "How many ids do you count before you stop, and what of ties?"},
                   {"what is left keeps its ratios", same_ratios, "Is everything that is left divided by the same number?"}},
      },
      {
          .right = right_top_p,
          .probes = top_p_probes(),
          .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
                   {"what is left had top_p together, and one fewer had less", fewest_that_reach,
                    "Before which id do you stop: the one that reaches top_p, or the one after it?"},
                   {"what is left keeps its ratios", same_ratios, "Is everything that is left divided by the same number?"}},
      },
      {
          .right = right_next,
          .probes = next_probes(),
          .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
                   {"the greatest score has the greatest probability", greatest_stays,
                    "What does a temperature do to the order of the scores?"}},
      },
  });
}

}  // namespace gradus::exercises::set
