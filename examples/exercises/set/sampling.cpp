#include "examples/exercises/set/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/core.h"
#include "examples/exercises/set/set.h"
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

double sum_of(const Row& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

Row softmax_of(const Row& scores) {
  return array_of("p", nn::softmax(from_vector(scores, {static_cast<int64_t>(scores.size())}))).numbers;
}

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

// The mistakes of scaling what is left: the same ones of both cuts, first in their lists.
enum WrongScale { not_scaled, uniform, softmax_again, kScales };

Row scaled(const Row& p, const std::vector<bool>& kept, Made made) {
  Row left(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    left[i] = !kept[i] ? 0 : made[uniform] ? 1 : made[softmax_again] ? std::exp(p[i]) : p[i];
  }
  const double sum = sum_of(left);
  for (double& one : left) one /= made[not_scaled] && !made[uniform] && !made[softmax_again] ? 1 : sum;
  return left;
}

// Does b come before a, if the likeliest come first?
bool before(const Row& p, std::size_t b, std::size_t a) { return p[b] > p[a] || (p[b] == p[a] && b < a); }

enum WrongK { one_more = kScales, least_likely, zero_keeps_none, first_ids, ties_kept, last_of_equals, distinct, one_fewer, above_kth };

Row top_k_with(const Row& p, int k, Made made) {
  std::vector<bool> kept(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    int likelier = 0, equal_before = 0, equal_after = 0;
    std::set<double> values;  // that are likelier
    for (std::size_t j = 0; j < p.size(); ++j) {
      likelier += (made[least_likely] ? p[j] < p[i] : p[j] > p[i]) ? 1 : 0;
      if (p[j] > p[i]) values.insert(p[j]);
      if (p[j] == p[i] && j != i) (j < i ? equal_before : equal_after) += 1;
    }
    int place = likelier + (made[ties_kept] ? 0 : made[last_of_equals] ? equal_after : equal_before);
    if (made[first_ids]) place = static_cast<int>(i);
    if (made[distinct]) place = static_cast<int>(values.size());
    if (made[above_kth]) place = likelier + equal_before + equal_after + 1;
    kept[i] = place < k + (made[one_more] ? 1 : 0) - (made[one_fewer] ? 1 : 0) || (k == 0 && !made[zero_keeps_none]);
  }
  return scaled(p, kept, made);
}

enum WrongP { drops_crossing = kScales, drops_when_reached, may_be_empty, one_too_many, unsorted, ascending, as_threshold,
              of_greatest, sorted_places, sorted_order, p_ties_kept, p_last_of_equals, until_above, one_is_greedy };

Row top_p_with(const Row& p, double top_p, Made made) {
  const std::size_t n = p.size();
  std::vector<std::size_t> ids = from_greatest(p, made[p_last_of_equals]);
  if (made[unsorted]) std::iota(ids.begin(), ids.end(), std::size_t{0});
  if (made[ascending]) std::reverse(ids.begin(), ids.end());
  std::vector<bool> kept(n);
  double reached = 0;
  for (std::size_t place = 0; place < n; ++place) {
    const double own = p[ids[place]], with_own = reached + own;
    bool keep = made[until_above] ? reached <= top_p : reached < top_p;
    if (made[drops_crossing]) keep = with_own <= top_p;
    if (made[drops_when_reached]) keep = with_own < top_p;
    if (made[one_too_many] && place > 0) keep = reached - p[ids[place - 1]] < top_p;
    if (made[as_threshold]) keep = own >= 1 - top_p;
    if (made[of_greatest]) keep = own >= top_p * p[from_greatest(p)[0]];
    if (place == 0 && !made[may_be_empty]) keep = true;
    if (made[one_is_greedy] && top_p >= 1) keep = place == 0;
    if (made[p_ties_kept] && place > 0 && own == p[ids[place - 1]]) keep = keep || kept[ids[place - 1]];
    kept[made[sorted_places] ? place : ids[place]] = keep;
    reached = with_own;
  }
  if (!made[sorted_order]) return scaled(p, kept, made);
  Row sorted(n);
  std::vector<bool> kept_there(n);
  for (std::size_t place = 0; place < n; ++place) {
    sorted[place] = p[ids[place]];
    kept_there[place] = kept[ids[place]];
  }
  return scaled(sorted, kept_there, made);
}

Outputs top_k_outputs(const Probe& p, Made made) {
  return of_each_row(p, "given", "left", [&](const Row& row) { return top_k_with(row, p.whole("k"), made); });
}

Outputs top_p_outputs(const Probe& p, Made made) {
  return of_each_row(p, "given", "left", [&](const Row& row) { return top_p_with(row, p.number("top_p"), made); });
}

enum WrongPenalty { of_negatives, multiplied, exchanged, each_time, subtracted, of_all, of_others, positives_alone, negatives_alone, first_seen, last_seen };

Outputs penalty_with(const Probe& p, Made made) {
  Array scores = array("y", p["scores"].shape, p["scores"].numbers);
  const double r = p.number("penalty");
  for (std::size_t id = 0; id < scores.numbers.size(); ++id) {
    const std::vector<double>& seen = p["seen"].numbers;
    const auto times = std::count(seen.begin(), seen.end(), static_cast<double>(id));
    const bool all_ids = !made[first_seen] && !made[last_seen], is_it = static_cast<double>(id) == (made[first_seen] ? seen.front() : seen.back());
    const bool has_come = made[of_all] || (times > 0 && (all_ids || is_it)) != made[of_others];
    for (std::ptrdiff_t k = 0; k < (made[each_time] ? times : has_come ? 1 : 0); ++k) {
      double& s = scores.numbers[id];
      if (s > 0 ? made[negatives_alone] : made[positives_alone]) continue;
      const bool divide = made[of_negatives] || ((s > 0) != made[exchanged] && !made[multiplied]);
      s = made[subtracted] ? s - r : divide ? s / r : s * r;
    }
  }
  return {scores};
}

enum WrongNext { temperature_twice, temperature_multiplied, after_softmax, temperature_last, top_p_first, zero_divides, no_max,
                 cut_with_zero, without_k, without_p, next_one_more, next_drops_crossing, next_softmax_again, next_not_scaled,
                 greedy_shares };

Row next_with(const Row& scores, double temperature, int k, double top_p, Made made) {
  if (temperature == 0 && made[zero_divides]) return Row(scores.size(), std::nan(""));
  if (temperature == 0 && !made[greedy_shares]) return greedy_of(scores);
  if (temperature == 0) {
    const double most = *std::max_element(scores.begin(), scores.end());
    Row shares(scores.size());
    std::transform(scores.begin(), scores.end(), shares.begin(), [=](double s) { return s == most ? 1 : 0; });
    return top_k_of(shares, static_cast<int>(std::count(scores.begin(), scores.end(), most)));
  }
  const double t = made[temperature_twice] ? temperature * temperature : made[temperature_multiplied] ? 1 / temperature
                 : made[after_softmax] ? 1 : temperature;
  if (made[without_k]) k = 0;
  if (made[without_p]) top_p = 1;
  Row s(scores.size());
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = scores[i] / (made[temperature_last] ? 1 : t);
  if (made[cut_with_zero] && k > 0) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      int place = 0;
      for (std::size_t j = 0; j < s.size(); ++j) place += before(scores, j, i) ? 1 : 0;
      if (place >= k) s[i] = 0;
    }
    k = 0;
  }
  Row p = softmax_of(s);
  if (made[no_max]) {
    std::transform(s.begin(), s.end(), p.begin(), [](double one) { return std::exp(one); });
    const double sum = sum_of(p);
    for (double& one : p) one /= sum;
    if (std::isnan(sum_of(p))) return p;
  }
  const Made scale = Made{}.set(softmax_again, made[next_softmax_again]).set(not_scaled, made[next_not_scaled]);
  const auto cut_k = [&] { if (k > 0) p = top_k_with(p, k, Made(scale).set(one_more, made[next_one_more])); };
  const auto cut_p = [&] { p = top_p_with(p, top_p, Made(scale).set(drops_crossing, made[next_drops_crossing])); };
  if (made[top_p_first]) cut_p();
  cut_k();
  if (!made[top_p_first]) cut_p();
  if (made[temperature_last]) {
    for (double& one : p) one = std::pow(one, 1 / t);
    const double sum = sum_of(p);
    for (double& one : p) one /= sum;
  }
  return p;
}

Outputs next_outputs(const Probe& p, Made made) {
  return of_each_row(p, "scores", "p", [&](const Row& row) {
    return next_with(row, p.number("temperature"), p.whole("k"), p.number("top_p"), made);
  });
}

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
          probe("two rows of 5, k = 1", distributions(2, 5, 412), 1), probe("two rows of 6, k = 0", distributions(2, 6, 413), 0),
          probe("two rows of 3, k = 5", distributions(2, 3, 414), 5),
          probe("a row of 6, three of them equal, k = 2", array("given", {1, 6}, {0.05, 0.2, 0.25, 0.2, 0.2, 0.1}), 2),
          probe("a row of 6, the two likeliest of them equal, k = 2", array("given", {1, 6}, {0.1, 0.3, 0.05, 0.3, 0.15, 0.1}), 2)};
}

std::vector<Probe> top_p_probes() {
  const auto probe = [](const std::string& name, const Array& p, double top_p) { return Probe{name, {p, number("top_p", top_p)}}; };
  return {probe("a row of 3, top_p = 0.9", array("given", {1, 3}, {0.09, 0.5, 0.41}), 0.9),
          probe("three rows of 7, top_p = 0.6", distributions(3, 7, 421), 0.6),
          probe("two rows of 6, top_p = 0.95", distributions(2, 6, 422), 0.95),
          probe("two rows of 5, top_p = 1",
                array("given", {2, 5}, {0.25, 0.0625, 0.5, 0.125, 0.0625, 0.0625, 0.25, 0.125, 0.0625, 0.5}), 1),
          probe("two rows of 4, top_p = 0", distributions(2, 4, 424), 0),
          probe("a row of 6, three of them equal, top_p = 0.4", array("given", {1, 6}, {0.05, 0.2, 0.25, 0.2, 0.2, 0.1}), 0.4),
          probe("a row of 4, the first two of which have 0.75 exactly, top_p = 0.75",
                array("given", {1, 4}, {0.125, 0.25, 0.5, 0.125}), 0.75)};
}

std::vector<Probe> next_probes() {
  const auto probe = [](const std::string& name, const Array& scores, double temperature, int k, double top_p) {
    return Probe{name, {scores, number("temperature", temperature), number("k", k), number("top_p", top_p)}};
  };
  const auto scores = [](int rows, int n, std::uint64_t seed, double around = 0) {
    return drawn("scores", {rows, n}, seed, 1.5, around / 1.5);
  };
  return {probe("a row of 3, whose e^x are 1, 4 and 5, at a temperature of ½, top_p = 0.99",
                array("scores", {1, 3}, {0, std::log(4), std::log(5)}), 0.5, 0, 0.99),
          probe("two rows of 5, at a temperature of 2, k = 4 and top_p = 0.7", scores(2, 5, 431), 2, 4, 0.7),
          probe("three rows of 7, at a temperature of 0.6, k = 5 and top_p = 0.99", scores(3, 7, 432), 0.6, 5, 0.99),
          probe("two rows of 9, at a temperature of 1.5, top_p = 0.8", scores(2, 9, 433), 1.5, 0, 0.8),
          probe("two rows of 6, of scores around 900, at a temperature of 1.2, k = 3 and top_p = 0.99",
                scores(2, 6, 434, 900), 1.2, 3, 0.99),
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
      return fmt::format("in row {} the ratio of ids {} and {} was {} and is {}", i, j, top, beside(expected, ratio), beside(ratio, expected));
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

std::vector<Mistake> with_scales(const std::vector<Mistake>& others) {
  std::vector<Mistake> all = {
      {not_scaled, "sample/not-scaled", "What do the probabilities sum to when some are gone?", "what is left is not scaled to sum to 1"},
      {uniform, "sample/uniform", "Is what was likelier still likelier?", "what is left is all equally likely"},
      {softmax_again, "sample/softmax-again", "Are these scores, or probabilities already?", "a softmax of what is a probability already"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Stage penalty() {
  return {
      .function = "penalize",
      .right = right_penalty,
      .with = penalty_with,
      .mistakes =
          {
              {of_negatives, "sample/penalty-of-negatives", "A score of −4, divided by 2: is the id now likelier?",
               "negative scores are divided, too, which makes them greater",
               "transformers#2302, NeMo Speech#8194"},
              {multiplied, "sample/penalty-multiplied", "A score of 2, multiplied by 2: is the id now likelier?",
               "positive scores are multiplied, too"},
              {exchanged, "sample/penalty-exchanged", "Do your scores go down?", "positive scores are multiplied and negative ones divided"},
              {each_time, "sample/penalty-each-time", "An id has come three times. How often is it penalized?",
               "once for each time that an id has come"},
              {subtracted, "sample/penalty-subtracted", "Does a penalty of 1 change anything?", "the penalty is subtracted"},
              {of_all, "sample/penalty-of-all", "Which ids have come?", "all ids are penalized"},
              {of_others, "sample/penalty-of-others", "Which ids have come?", "the ids that have not come are penalized"},
              {positives_alone, "sample/penalty-of-positives", "An id with the score −4 has come: does it become less likely?", "scores below 0 stay as they are"},
              {negatives_alone, "sample/penalty-of-negatives-alone", "An id with the score 4 has come: does it become less likely?", "scores above 0 stay as they are"},
              {first_seen, "sample/penalty-of-first", "Which ids have come: one, or several?", "the first id that has come is penalized alone"},
              {last_seen, "sample/penalty-of-last", "Which ids have come: one, or several?", "the last id that has come is penalized alone"},
          },
      .probes = penalty_probes(),
      .laws = {{"no score goes up", never_up, "What do you do to a score that is below 0?"},
               {"what has come goes down", seen_go_down, "For which ids do you change the score, and which way?"},
               {"only what has come is changed", only_seen, "How do you find out whether an id has come?"}},
      .hints = {"A score of −4, divided by 2: is its id now likelier, or less likely?",
                "One loop over the ids: has this one come at all? How often does not matter.",
                "No score goes up, and only those of ids that have come go down.",
                "For a penalty r above 1 an id that has come gets the smaller one of s / r and s · r; the others keep s."},
  };
}

Stage top_k() {
  return {
      .function = "keep_top_k",
      .right = right_top_k,
      .with = top_k_outputs,
      .mistakes = with_scales({
          {one_more, "sample/top-k-plus-one", "How many are left for k = 1?", "k + 1 ids are kept", "mesh-transformer-jax#164"},
          {least_likely, "sample/least-likely", "Which end of the order do you keep?", "the least likely ids are kept, not the likeliest"},
          {zero_keeps_none, "sample/top-k-zero", "What does k = 0 mean here?", "for k = 0 nothing is left"},
          {first_ids, "sample/first-ids", "Are the ids in the order of their probabilities?", "the first k ids are kept, not the likeliest"},
          {ties_kept, "sample/ties-kept", "", "all ids that are as likely as the last one kept are kept, too", "", true},
          {last_of_equals, "sample/last-of-equals", "", "of equals the last counts as likelier", "", true, "the first"},
          {distinct, "sample/top-k-distinct", "Two ids share the greatest probability, and k = 2: how many are left?", "k different probabilities are kept, with all ids that have them"},
          {one_fewer, "sample/top-k-minus-one", "How many are left for k = 1?", "k − 1 ids are kept"},
          {above_kth, "sample/top-k-minus-one", "How many are left for k = 1?"},
      }),
      .probes = top_k_probes(),
      .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
               {"k ids are left", k_are_left, "How many ids do you count before you stop, and what of ties?"},
               {"what is left keeps its ratios", same_ratios, "Is everything that is left divided by the same number?"}},
      .hints = {"Probabilities 0.2, 0.5 and 0.3, and k = 2: how many ids are likelier than each of them?",
                "An id's fate depends on how many are likelier. You can count them; nothing has to be sorted.",
                "k ids are left, all of them for k = 0. They sum to 1, and keep their ratios.",
                "Keep an id if fewer than k come before it: those with more, and of equals those with a smaller number. Then divide by the sum of what is left."},
  };
}

Stage top_p() {
  return {
      .function = "keep_top_p",
      .right = right_top_p,
      .with = top_p_outputs,
      .mistakes = with_scales({
          {drops_crossing, "sample/top-p-drops-the-crossing-one", "Do those that you keep reach top_p?",
           "the id whose probability reaches top_p is dropped",
           "reasoning-from-scratch#164, fish-speech PR1171"},
          {drops_when_reached, "sample/top-p-drops-when-reached", "Do those that you keep reach top_p?",
           "nothing is kept any more once the sum has reached top_p"},
          {may_be_empty, "sample/top-p-empty", "What is left for top_p = 0?", "nothing may be left", "deepmind/simply PR42"},
          {one_too_many, "sample/top-p-one-more", "Would one fewer reach top_p as well?", "one id more than is needed"},
          {unsorted, "sample/top-p-unsorted", "Are the ids in the order of their probabilities?",
           "the ids are added up in their order, not the likeliest first", "gluon-nlp#1481"},
          {ascending, "sample/least-likely", "Which end of the order do you keep?", "", ""},
          {as_threshold, "sample/top-p-threshold", "Is top_p a bound for one probability, or for a sum?",
           "each probability is compared with 1 − top_p"},
          {of_greatest, "sample/min-p", "Is top_p a bound for one probability, or for a sum?",
           "each probability is compared with top_p times the greatest: that is min-p"},
          {sorted_places, "sample/sorted-places", "Which id stands in the first place after sorting?", "places in the sorted order are taken for ids"},
          {sorted_order, "sample/sorted-order", "Which id stands in the first place after sorting?",
           "the probabilities are left in their sorted order"},
          {p_ties_kept, "sample/ties-kept", "", "", "", true},
          {p_last_of_equals, "sample/last-of-equals", "", "", "", true, "the first"},
          {until_above, "sample/top-p-until-above", "", "a sum that is exactly top_p is not enough: it has to be above", "", true, "ids that together reach top_p"},
          {one_is_greedy, "sample/top-p-1-is-greedy", "What is cut for top_p = 1?", "for top_p = 1 only the likeliest is left", "ChatRWKV PR170"},
      }),
      .probes = top_p_probes(),
      .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
               {"what is left had top_p together, and one fewer had less", fewest_that_reach, "Before which id do you stop: the one that reaches top_p, or the one after it?"},
               {"what is left keeps its ratios", same_ratios, "Is everything that is left divided by the same number?"}},
      .hints = {"Probabilities 0.5, 0.41 and 0.09, and top_p = 0.9: which ids are left? And for top_p = 0, and for 1?",
                "An id's fate depends on how much those that are likelier have together.",
                "What is left had top_p together, and without its least likely id it had less. One id is always left.",
                "Keep an id if those before it have less than top_p together, or if there are none. Then divide by the sum of what is left."},
  };
}

Stage next() {
  return {
      .function = "next_id",
      .right = right_next,
      .with = next_outputs,
      .mistakes =
          {
              {temperature_twice, "sample/temperature-twice", "How often do you divide by the temperature?",
               "divided by the temperature twice", "RL-Kernel#81, CodonTransformer PR20"},
              {temperature_multiplied, "sample/temperature-multiplied", "Does a high temperature make the likeliest id more likely, or less?",
               "multiplied by the temperature"},
              {after_softmax, "sample/temperature-after-softmax", "Probabilities divided by 2 and scaled to sum to 1: what has changed?",
               "the temperature changes nothing: the probabilities are divided by it, or it is not used"},
              {temperature_last, "sample/temperature-last", "", "the temperature comes after both cuts", "Camelid PR534", true},
              {top_p_first, "sample/top-p-before-top-k", "", "top-p comes before top-k, and counts what top-k would cut", "", true},
              {zero_divides, "sample/temperature-zero", "What are scores divided by 0?", "a temperature of 0 divides by 0"},
              {no_max, "softmax/no-max", "How large is e^900? And what is ∞ / ∞?"},
              {cut_with_zero, "sample/cut-with-zero", "What is e^0?", "the scores of what is cut become 0, not −∞"},
              {without_k, "sample/without-top-k", "Is k used?", "no top-k"},
              {without_p, "sample/without-top-p", "Is top_p used?", "no top-p"},
              {next_one_more, "sample/top-k-plus-one", "How many are left for k = 1?"},
              {next_drops_crossing, "sample/top-p-drops-the-crossing-one", "Do those that you keep reach top_p?"},
              {next_softmax_again, "sample/softmax-again", "Are these scores, or probabilities already?"},
              {next_not_scaled, "sample/not-scaled", "What do the probabilities sum to when some are gone?"},
              {greedy_shares, "sample/greedy-shares", "", "at a temperature of 0 the greatest scores share, if several are equal", "", true},
          },
      .probes = next_probes(),
      .laws = {{"each row sums to 1", sums_to_1, "By which sum do you divide, and is it that of what is left?"},
               {"the greatest score has the greatest probability", greatest_stays, "What does a temperature do to the order of the scores?"}},
      .hints = {"Does a temperature of ½ make the likeliest id more likely, or less? And what is left at 0?",
                "Three steps: the softmax, into p; one cut, from p into room; the other cut, from room into p.",
                "The greatest score keeps the greatest probability, scores of 900 do not become ∞, and every row sums to 1.",
                "softmax of (score − greatest) / temperature, then keep_top_k, then keep_top_p. At a temperature of 0 keep the one likeliest id."},
  };
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
          [=](const Probe& p) {
            Sheet left("left", p["given"].shape);
            keep_top_k(p.in("given"), p.whole("k"), left.out());
            return Outputs{left.array()};
          },
          [=](const Probe& p) {
            Sheet left("left", p["given"].shape);
            keep_top_p(p.in("given"), p.number("top_p"), left.out());
            return Outputs{left.array()};
          },
          [=](const Probe& probe) {
            Sheet room("room", probe["scores"].shape), p("p", probe["scores"].shape);
            next_id(probe.in("scores"), probe.number("temperature"), probe.whole("k"), probe.number("top_p"), room.out(), p.out());
            room.array();  // was anything written beside it?
            return Outputs{p.array()};
          }};
}

Exercise sampling_exercise() {
  return {
      .number = 26,
      .id = "sampling",
      .title = "Sampling: penalty, temperature, top-k and top-p",
      .section = "ch11.md#model-lm",
      .needs = {"softmax"},
      .minutes = 40,
      .done = "The id that crosses top_p belongs to it: that one comparison is wrong in published code again and again.",
      .stages = {in_sampling::penalty(), in_sampling::top_k(), in_sampling::top_p(), in_sampling::next()},
  };
}

}  // namespace gradus::exercises::set
