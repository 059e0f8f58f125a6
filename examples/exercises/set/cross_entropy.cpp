#include "examples/exercises/set/cross_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/activation/softmax.h"
#include "nn/loss/cross_entropy.h"
#include "nn/loss/probability.h"

namespace gradus::exercises::set {
namespace in_cross_entropy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<int> targets_of(const Probe& p) {
  const Array& target = p["target"];
  return {target.numbers.begin(), target.numbers.end()};
}

// How ε is spread, and how log Z is found: the same mistakes of the value and of the gradient, first in both lists.
enum WrongTarget { smoothing_missing, without_eps, keeps_one, adds, exchanged, over_others, of_target_alone, not_on_target, over_one_less, total_kept,
                   most_kept, most_of_all, most_with_zero, ends_at_padding, kTargets };

double should_be(bool target, double eps, int n, Made made) {
  if (made[smoothing_missing]) eps = 0;
  if (made[not_on_target]) return target ? 1 - eps : eps / n;
  if (made[over_others]) return target ? 1 - eps : eps / (n - 1);
  const double sharp = made[keeps_one] ? 1 - eps / n : made[adds] ? 1 : made[exchanged] ? eps : 1 - eps;
  const double flat = made[of_target_alone] ? 0 : made[without_eps] ? 1.0 / n : (made[exchanged] ? 1 - eps : eps) / (made[over_one_less] ? n - 1 : n);
  return (target ? sharp : 0) + flat;
}

Array softmax_of(const Array& z) { return array_of(z.name, nn::softmax(tensor_of(z))); }

enum Wrong { double_softmax = kTargets, no_max, log_of_softmax, padding_counted, padding_taken, padding_as_index, class_0_left_out,
             not_added_back, axis, sum_not_mean, over_classes, bits, sign, probability, no_max_of_target };

// How many rows a walk visits that may end at the first padding.
int visited_rows(const std::vector<int>& target, Made made) {
  return static_cast<int>((made[ends_at_padding] ? std::find(target.begin(), target.end(), -1) : target.end()) - target.begin());
}

// Log Z of the row of z[i][j], or of its column. `earlier` are the rows that were visited before it.
double log_z(const In& z, int i, int j, Made made, const std::vector<int>& earlier = {}) {
  double most = made[most_with_zero] ? 0 : -kInfinity, sum = 0;
  const int n = made[axis] ? z.rows : z.columns;
  const auto at = [&](int k) { return made[axis] ? z[k][j] : z[i][k]; };
  for (int k = 0; k < n; ++k) most = std::max(most, at(k));
  if (made[most_of_all]) most = *std::max_element(z[0], z[0] + z.rows * z.columns);
  if (made[no_max] || made[no_max_of_target]) most = 0;
  for (int row : earlier) {
    const double its_most = *std::max_element(z[row], z[row] + z.columns);
    if (made[most_kept]) most = std::max(most, its_most);
    for (int k = 0; k < z.columns && made[total_kept]; ++k) sum += std::exp(z[row][k] - its_most);
  }
  for (int k = 0; k < n; ++k) sum += std::exp(at(k) - most);
  if (made[log_of_softmax]) {  // minus the logarithm of what may have become 0
    return z[i][j] - std::log(std::exp(z[i][j] - most) / sum);
  }
  return (made[not_added_back] ? 0 : most) + std::log(sum);
}

Outputs value_with(const Probe& p, Made made) {
  const Array scores = made[double_softmax] ? softmax_of(p["z"]) : p["z"];
  const In z = in(scores);
  const std::vector<int> target = targets_of(p);
  double sum = 0, count = 0;
  std::vector<int> earlier;
  for (int i = 0; i < visited_rows(target, made); ++i) {
    const int y = target[static_cast<std::size_t>(i)];
    const bool left_out = made[class_0_left_out] ? y <= 0 : y < 0;
    if (left_out && !made[padding_as_index] && !made[padding_taken]) {
      count += made[padding_counted] ? 1 : 0;
      continue;
    }
    for (int j = made[padding_as_index] && y < 0 ? -1 : 0; j < z.columns; ++j) {  // z[i][-1] is the last number of the row before
      double q = should_be(j == y, p.number("smoothing"), z.columns, made);
      if (j == -1) q -= should_be(false, p.number("smoothing"), z.columns, made);
      if (q == 0 && made[no_max_of_target]) continue;
      const double cost = log_z(z, i, j, made, earlier) - z[i][j];
      sum += q * (made[probability] ? -std::exp(-cost) : cost);
    }
    count += 1;
    earlier.push_back(i);
  }
  const double loss = sum / (made[sum_not_mean] ? 1 : count) / (made[over_classes] ? z.columns : 1);
  return {number("loss", (made[sign] ? -loss : loss) / (made[bits] ? std::log(2.0) : 1))};
}

enum WrongGradient { g_double_softmax = kTargets, g_no_max, not_divided, g_whole_division, g_padding_counted, gradient_of_padding, g_padding_as_index,
                     target_missing, g_sign, sigmoid_slope, of_p, target_only, without_g, g_class_0_left_out, g_for_p_alone };

Outputs gradient_with(const Probe& p, Made made) {
  const Array scores = made[g_double_softmax] ? softmax_of(p["z"]) : p["z"];
  const In z = in(scores);
  const std::vector<int> target = targets_of(p);
  const int first = made[g_class_0_left_out] ? 1 : 0;
  const auto counted = made[g_padding_counted] ? z.rows : std::count_if(target.begin(), target.end(), [=](int y) { return y >= first; });
  const double scale =
      made[g_whole_division] ? 0 : (made[without_g] ? 1 : p.number("g")) / (made[not_divided] ? 1 : static_cast<double>(counted));
  const double eps = p.number("smoothing");
  const Made of_log_z = (made & Made((1u << kTargets) - 1)).set(no_max, made[g_no_max]);
  std::vector<int> earlier;
  Sheet sheet("dz", p["z"].shape);
  const Out dz = sheet.out();
  for (int i = 0; i < z.rows; ++i) {
    const int y = target[static_cast<std::size_t>(i)];
    for (int j = 0; j < z.columns; ++j) {
      const double top = log_z(z, i, j, of_log_z, earlier);
      const double prob = std::isfinite(top) ? std::exp(z[i][j] - top) : std::numeric_limits<double>::quiet_NaN();  // 0/0, ∞/∞
      const double q = made[target_missing] ? 0 : should_be(j == y, eps, z.columns, made);
      double d = made[of_p] ? -q / prob : (made[g_sign] ? q - prob : prob - q) * (made[sigmoid_slope] ? prob * (1 - prob) : 1);
      if (made[target_only] && j != y) d = 0;
      if (made[g_for_p_alone]) d = prob - q / p.number("g");
      const bool left_out = y < first || i >= visited_rows(target, made);
      dz[i][j] = left_out && !made[gradient_of_padding] && !made[g_padding_as_index] ? 0 : scale * d;
    }
    if (y >= first) earlier.push_back(i);
    if (y < 0 && made[g_padding_as_index]) {  // dz[i][-1] is the last number of the row before
      dz[i][-1] -= scale * (should_be(true, eps, z.columns, made) - should_be(false, eps, z.columns, made));
    }
  }
  return {sheet.array()};
}

enum WrongKl { kl_exchanged, kl_of_itself, kl_over_classes, kl_sum, without_entropy, p_missing, weighted_by_q, log_for_p,
               zero_times_infinity, kl_sign, kl_classes_for_rows,
               without_zero_q, quotient_of_logs, of_probabilities };

Outputs kl_with(const Probe& p, Made made) {
  In log_p = p.in("log_p"), log_q = p.in("log_q");
  if (made[kl_exchanged]) std::swap(log_p, log_q);
  if (made[kl_of_itself]) log_q = log_p;
  double sum = 0;
  for (int i = 0; i < log_p.rows; ++i) {
    for (int j = 0; j < log_p.columns; ++j) {
      const double a = log_p[i][j], b = log_q[i][j];
      if (std::exp(a) == 0 && !made[zero_times_infinity]) continue;
      if (std::exp(b) == 0 && made[without_zero_q]) continue;
      const double weight = made[p_missing] ? 1 : made[log_for_p] ? a : std::exp(made[weighted_by_q] ? b : a);
      const double difference = made[quotient_of_logs] ? a / b : made[of_probabilities] ? std::exp(a) - std::exp(b) : a - b;
      sum += weight * (made[without_entropy] ? -b : difference);
    }
  }
  const double mean = sum / (made[kl_sum] ? 1 : made[kl_classes_for_rows] ? log_p.columns : log_p.rows) / (made[kl_over_classes] ? log_p.columns : 1);
  return {number("divergence", made[kl_sign] ? -mean : mean)};
}

enum WrongPerplexity { mean_of_means, mean_of_exp, weighted_mean_of_exp, no_exponential, base_2, by_parts, not_by_tokens,
                       exp_before_division, exp_of_minus, mean_of_means_of_all, mean_of_exp_of_all, last_part, product_of_parts };

Outputs perplexity_with(const Probe& p, Made made) {
  const In sum = p.in("sum"), count = p.in("count");
  double losses = 0, tokens = 0, means = 0, powers = 0, weighted = 0, product = 1, parts = 0, last = 0;
  const auto power = [&](double mean) {
    const double signed_mean = made[exp_of_minus] ? -mean : mean;
    return made[no_exponential] ? signed_mean : made[base_2] ? std::exp2(signed_mean) : std::exp(signed_mean);
  };
  for (int k = 0; k < sum.columns; ++k) {
    const double mean = sum[0][k] / (made[not_by_tokens] ? 1 : count[0][k]);
    losses += sum[0][k];
    tokens += count[0][k];
    if (count[0][k] == 0 && !made[mean_of_means_of_all] && !made[mean_of_exp_of_all]) continue;
    parts += 1;
    means += mean;
    powers += power(mean);
    weighted += count[0][k] * power(mean);
    product *= power(mean);
    last = mean;
  }
  if (made[weighted_mean_of_exp]) return {number("perplexity", weighted / tokens)};
  if (made[mean_of_exp] || made[mean_of_exp_of_all]) return {number("perplexity", powers / parts)};
  if (made[mean_of_means] || made[mean_of_means_of_all]) return {number("perplexity", power(means / parts))};
  if (made[last_part]) return {number("perplexity", power(last))};
  if (made[product_of_parts]) return {number("perplexity", product)};
  if (made[exp_before_division]) return {number("perplexity", power(losses) / tokens)};
  return {number("perplexity", power(losses / (made[not_by_tokens] ? 1 : made[by_parts] ? sum.columns : tokens)))};
}

Probe loss_probe(const std::string& name, const Array& z, const std::vector<double>& target, double smoothing, double g) {
  return {name, {number("g", g), z, array("target", {z.shape[0]}, target), number("smoothing", smoothing)}};
}

std::vector<Probe> loss_probes(bool with_g) {
  const auto scores = [](int rows, int n, std::uint64_t seed, double around) { return drawn("z", {rows, n}, seed, 2, around / 2 + 0.4); };
  const auto far_apart = [&](int rows, std::uint64_t seed) {  // −800, 800, −800, a row each
    Array z = scores(rows, 4, seed, 0);
    for (std::size_t i = 0; i < z.numbers.size(); ++i) z.numbers[i] += i / 4 == 1 ? 800 : -800;
    return z;
  };
  std::vector<Probe> probes = {
      loss_probe("a row of 3, whose e^z are 1, 4 and 5", array("z", {1, 3}, {0, std::log(4), std::log(5)}), {1}, 0, 2),
      loss_probe("a row of 4, smoothed by 0.3", scores(1, 4, 81, 0), {2}, 0.3, 0.7),
      loss_probe("three rows of 5, one of them padding", scores(3, 5, 82, 0), {4, -1, 0}, 0, -1.5),
      loss_probe("five rows of 7, two of them padding, smoothed by 0.2", scores(5, 7, 83, 0), {3, 3, -1, 6, -1}, 0.2, 0.6),
      loss_probe("two rows of 6, of scores around 800", scores(2, 6, 84, 800), {5, 1}, 0.1, 1.3),
      loss_probe("two rows of 6, of scores around −800", scores(2, 6, 86, -800), {0, 4}, 0.1, 0.7),
      loss_probe("two rows of 4, of scores around −800 and 800", far_apart(2, 87), {3, 1}, 0, 1.1),
      loss_probe("three rows of 4, of scores around −800, 800 and −800", far_apart(3, 85), {2, 0, 1}, 0, 0.8),
      loss_probe("two rows of 4, the target 1,000 behind, smoothed by 0.1",
                 array("z", {2, 4}, {500, -500, 499, 497, -500, 498, 499, 500}), {1, 0}, 0.1, 0.9),
      loss_probe("two rows of 5 equal scores", array("z", {2, 5}, {3, 3, 3, 3, 3, -2, -2, -2, -2, -2}), {0, 4}, 0.4, -0.5),
  };
  if (!with_g) {
    for (Probe& probe : probes) probe.inputs.erase(probe.inputs.begin());
  }
  return probes;
}

std::vector<Probe> kl_probes() {
  const auto scores = [](int rows, int n, std::uint64_t seed) { return drawn("x", {rows, n}, seed, 1.5); };
  const auto probe = [](const std::string& name, const Array& p, const Array& q) {  // of the scores of p and q
    return Probe{name, {array_of("log_p", nn::log_softmax(tensor_of(p))), array_of("log_q", nn::log_softmax(tensor_of(q)))}};
  };
  const double two = std::log(2);
  return {probe("a row of 3: p is ½, ¼, ¼ and q is ¼, ½, ¼", array("x", {1, 3}, {two, 0, 0}), array("x", {1, 3}, {0, two, 0})),
          probe("two rows of 5", scores(2, 5, 91), scores(2, 5, 92)), probe("four rows of 3", scores(4, 3, 93), scores(4, 3, 94)),
          probe("two rows of 4, p and q alike", scores(2, 4, 95), scores(2, 4, 95)),
          probe("two rows of 5, in which some p are 0",
                array("x", {2, 5}, {0.5, -kInfinity, 1, -kInfinity, -kInfinity, 2, -1, 0, 0.3, 1}), scores(2, 5, 96)),
          probe("a row of 3, one of whose q is 0", array("x", {1, 3}, {0.5, 0, 1}), array("x", {1, 3}, {0, -kInfinity, 1}))};
}

std::vector<Probe> perplexity_probes() {
  const auto probe = [](const std::string& name, const std::vector<double>& sum, const std::vector<double>& count) {
    const int parts = static_cast<int>(sum.size());
    return Probe{name, {array("sum", {1, parts}, sum), array("count", {1, parts}, count)}};
  };
  return {probe("a part of one token that costs 2, and one of three that cost 1 each", {2, 3}, {1, 3}),
          probe("three parts", {4.5, 10.4, 21.7}, {2, 7, 9}), probe("five parts", {1.25, 30.5, 2.5, 8, 11}, {1, 12, 2, 5, 10}),
          probe("three parts, one of them empty", {3.5, 0, 6}, {2, 0, 5})};
}

Tensor right_loss(const Probe& p, const Tensor& z) {
  return nn::cross_entropy(z, cast(tensor_of(p["target"]), DType::i64), {.ignore_index = -1, .label_smoothing = p.number("smoothing")});
}

Outputs right_value(const Probe& p) { return {array_of("loss", right_loss(p, tensor_of(p["z"])))}; }

Outputs right_gradient(const Probe& p) {
  const Tensor z = tensor_of(p["z"]).set_requires_grad();
  return {array_of("dz", grad({right_loss(p, z)}, {z}, {.seeds = {tensor_of(p["g"])}})[0])};
}

Outputs right_kl(const Probe& p) { return {array_of("divergence", nn::kl_divergence(tensor_of(p["log_q"]), tensor_of(p["log_p"])))}; }

Outputs right_perplexity(const Probe& p) {
  return {array_of("perplexity", exp(sum(tensor_of(p["sum"])) / sum(tensor_of(p["count"]))))};
}

// Log Z is the greatest score, or up to log V more.
std::string between_bounds(const Probe& p, const Outputs& outputs) {
  const In z = p.in("z");
  const double eps = p.number("smoothing"), loss = outputs[0].numbers[0];
  double least = 0, count = 0;
  for (int i = 0; i < z.rows; ++i) {
    const int y = targets_of(p)[static_cast<std::size_t>(i)];
    if (y < 0) continue;
    const double top = *std::max_element(z[i], z[i] + z.columns);
    for (int j = 0; j < z.columns; ++j) least += ((j == y ? 1 - eps : 0) + eps / z.columns) * (top - z[i][j]);
    count += 1;
  }
  least /= count;
  const double most = least + std::log(z.columns);
  if (loss >= least - 1e-9 && loss <= most + 1e-9) return "";
  return fmt::format("that is between {} and {}, and the loss is {}", beside(least, loss), beside(most, loss), beside(loss, loss < least ? least : most));
}

// What is cut off, or what is added to a probability before its logarithm is taken, bounds the loss of a target that is far behind.
std::string far_behind_costs_much(const Probe& p, const Outputs& outputs) {
  const In z = p.in("z");
  const double loss = outputs[0].numbers[0];
  if (z[0][0] - z[0][1] != 1000 || !(loss < 100)) return "";
  return fmt::format("that of row 0 is {:.4g} behind, and the mean loss is {:.4g}", z[0][0] - z[0][1], loss);
}

// The same where no smoothing may be to blame.
std::string between_bounds_if_sharp(const Probe& p, const Outputs& outputs) {
  return p.number("smoothing") == 0 ? between_bounds(p, outputs) : "";
}

std::string equal_scores(const Probe& p, const Outputs& outputs) {
  const In z = p.in("z");
  for (int i = 0; i < z.rows; ++i) {
    if (std::any_of(z[i], z[i] + z.columns, [&](double one) { return one != z[i][0]; })) return "";
  }
  const double loss = outputs[0].numbers[0], expected = std::log(z.columns);
  return std::abs(loss - expected) < 1e-9 ? "" : fmt::format("V is {}, and the loss {}, not {}", z.columns, beside(loss, expected), beside(expected, loss));
}

// What each row costs; padding costs nothing.
std::vector<double> costs_of(const Probe& p) {
  const In z = p.in("z");
  const std::vector<int> target = targets_of(p);
  std::vector<double> costs;
  for (int i = 0; i < z.rows; ++i) {
    double cost = 0;
    for (int j = 0; j < z.columns && target[static_cast<std::size_t>(i)] >= 0; ++j) {
      cost += should_be(j == target[static_cast<std::size_t>(i)], p.number("smoothing"), z.columns, {}) * (log_z(z, i, j, {}) - z[i][j]);
    }
    costs.push_back(cost);
  }
  return costs;
}

// Is a wrong loss that of the first rows alone, or of all, divided by another number?
std::string counts_rows_with_target(const Probe& p, const Outputs& outputs) {
  const std::vector<double> costs = costs_of(p);
  const std::vector<int> target = targets_of(p);
  const auto rows = static_cast<std::ptrdiff_t>(costs.size()), counted = rows - std::count(target.begin(), target.end(), -1);
  const double loss = outputs[0].numbers[0], right = std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(counted);
  if (counted == rows || close(loss, right, right)) return "";
  double sum = 0;
  for (std::ptrdiff_t first = 0; first < rows; ++first) {
    sum += costs[static_cast<std::size_t>(first)];
    for (std::ptrdiff_t n = 1; n <= rows + 1; ++n) {
      if (!close(loss, sum / static_cast<double>(n), right)) continue;
      const std::string which = first == 0 ? "row 0 costs" : fmt::format("rows 0 to {} cost", first);
      return fmt::format("{} of {} rows count, and your loss is what {}, divided by {}", counted, rows, which, n);
    }
  }
  return "";
}

std::string rows_sum_to_0(const Probe&, const Outputs& outputs) {
  const In dz = in(outputs[0]);
  for (int i = 0; i < dz.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < dz.columns; ++j) sum += dz[i][j];
    if (!(std::abs(sum) < 1e-9)) return fmt::format("row {} sums to {:.4g}", i, sum);
  }
  return "";
}

std::string padding_gets_0(const Probe& p, const Outputs& outputs) {
  const In dz = in(outputs[0]);
  for (int i = 0; i < dz.rows; ++i) {
    if (targets_of(p)[static_cast<std::size_t>(i)] >= 0) continue;
    for (int j = 0; j < dz.columns; ++j) {
      if (dz[i][j] != 0) return fmt::format("dz[{}][{}] is {:.4g}", i, j, dz[i][j]);
    }
  }
  return "";
}

std::string no_number_above_share(const Probe& p, const Outputs& outputs) {
  const In dz = in(outputs[0]);
  const std::vector<int> target = targets_of(p);
  const auto count = std::count_if(target.begin(), target.end(), [](int y) { return y >= 0; });
  const double most = std::abs(p.number("g")) / static_cast<double>(count);
  for (int i = 0; i < dz.rows; ++i) {
    for (int j = 0; j < dz.columns; ++j) {
      if (!(std::abs(dz[i][j]) <= most + 1e-12)) return fmt::format("dz[{}][{}] is {:.4g}", i, j, dz[i][j]);
    }
  }
  return "";
}

std::string not_negative(const Probe&, const Outputs& outputs) {
  const double d = outputs[0].numbers[0];
  return d >= -1e-12 ? "" : fmt::format("it is {:.4g}", d);
}

std::string nothing_for_equals(const Probe& p, const Outputs& outputs) {
  const double d = outputs[0].numbers[0];
  return p["log_p"].numbers != p["log_q"].numbers || std::abs(d) < 1e-12 ? "" : fmt::format("it is {:.4g}", d);
}

std::string between_parts(const Probe& p, const Outputs& outputs) {
  const In sum = p.in("sum"), count = p.in("count");
  double least = kInfinity, most = 0;
  for (int k = 0; k < sum.columns; ++k) {
    if (count[0][k] == 0) continue;
    least = std::min(least, std::exp(sum[0][k] / count[0][k]));
    most = std::max(most, std::exp(sum[0][k] / count[0][k]));
  }
  const double all = outputs[0].numbers[0];
  if (all >= least * (1 - 1e-9) && all <= most * (1 + 1e-9)) return "";
  return fmt::format("they go from {} to {}, and that of the whole is {}", beside(least, all), beside(most, all), beside(all, all < least ? least : most));
}

std::vector<Mistake> with_targets(const std::vector<Mistake>& others) {
  std::vector<Mistake> all = {
      {smoothing_missing, "loss/smoothing-missing", "Where does the smoothing ε stand in your formula?", "no smoothing"},
      {without_eps, "loss/smoothing-without-eps", "What do the q of a row sum to?", "1/V is added to every class, not smoothing/V", "ConvE#55"},
      {keeps_one, "loss/smoothing-keeps-one", "What do the q of a row sum to?", "the target's share is 1 − smoothing/V, before smoothing/V is added",
       "pytorch-randaugment#30"},
      {adds, "loss/smoothing-added", "What do the q of a row sum to?", "the target keeps a full 1, and smoothing/V is added to every class"},
      {exchanged, "loss/smoothing-exchanged", "A smoothing of 0: what is left of the target?", "smoothing and 1 − smoothing have changed places"},
      {over_others, "loss/smoothing-over-others", "", "the smoothing is spread over the other V − 1 classes alone", "pytorch#148884", true},
      {of_target_alone, "loss/smoothing-not-spread", "What do the q of a row sum to?", "the target has 1 − smoothing, and the rest goes to no class"},
      {not_on_target, "loss/smoothing-not-on-target", "What do the q of a row sum to?", "the target has 1 − smoothing alone, without its own smoothing/V"},
      {over_one_less, "loss/smoothing-over-one-less", "What do the q of a row sum to?", "smoothing/(V − 1) is added to every class, the target too"},
      {total_kept, "loss/total-kept", "With what does the sum of exponentials begin in the second row?", "the sum of exponentials goes on from row to row"},
      {most_kept, "loss/max-kept", "With which value does the search for the greatest score begin in the second row?", "the greatest score is not searched anew in each row"},
      {most_of_all, "loss/max-of-all-rows", "One row lies 1,600 below another. What is left of its exponentials?", "the greatest score of all rows is subtracted from each"},
      {most_with_zero, "loss/max-with-zero", "What is the greatest score of a row whose scores are all −800? And with which number does your search begin?",
       "the search for the greatest score begins with 0, or another number that is too large"},
      {ends_at_padding, "loss/ends-at-padding", "A row is padding. What becomes of the rows behind it?", "the walk over the rows ends at the first padding"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Stage value() {
  return {
      .function = "cross_entropy",
      .right = right_value,
      .with = value_with,
      .mistakes = with_targets({
          {double_softmax, "loss/double-softmax", "Does the formula want scores, or probabilities?", "softmax before a loss that has a softmax in it",
           "tensorflow_cookbook#86, lightning-bolts#654"},
          {no_max, "loss/no-max", "What are e^800 and e^−800?", "log Σ e^z without the greatest score taken out", "nupic PR3818"},
          {log_of_softmax, "loss/log-of-softmax", "Which is the smallest probability that a double can hold?",
           "the logarithm of a probability that has become 0"},
          {padding_counted, "loss/padding-counted", "By how many rows do you divide?", "padding adds nothing, but is counted in the mean",
           "burn#5568, SkyRL PR462"},
          {padding_taken, "loss/padding-taken-for-a-row", "What does a row cost that has no target?",
           "padding is a row like any other, whose target is no class"},
          {padding_as_index, "loss/padding-as-index", "Where is z[i][-1]?", "a target of −1 is used as an index"},
          {class_0_left_out, "loss/class-0-left-out", "Which is the first class?", "class 0 is taken for padding"},
          {not_added_back, "loss/greatest-not-added-back", "You have log Σ e^(z − c). How do you get log Σ e^z from it?",
           "the greatest score is not added to log Σ e^(z − c)"},
          {axis, "loss/axis", "Over which axis do probabilities sum to 1?", "Z is the sum over the rows, not over the classes"},
          {sum_not_mean, "loss/sum-not-mean", "Does the loss grow with the number of rows?", "the sum over the rows, not their mean"},
          {over_classes, "loss/mean-over-classes", "How many losses does a row have?", "the mean over rows and classes"},
          {bits, "loss/bits", "What does it cost to guess among V: log V, or log₂ V?", "the logarithm of base 2"},
          {sign, "loss/sign", "Is a good prediction cheap, or dear?", "the logarithm of the probability without its minus"},
          {probability, "loss/probability-for-logarithm", "What does a row of probability 1 cost? And one of probability 0?",
           "minus the probability, without its logarithm"},
          {no_max_of_target, "loss/no-max", "What are e^800 and e^−800?"},
      }),
      .probes = loss_probes(false),
      .laws = {{"the loss is the mean over the rows that are no padding", counts_rows_with_target, "Which rows did you count, and which did you divide by?"},
               {"a target whose score is 1,000 behind costs about 1,000", far_behind_costs_much,
                "Which is the smallest number whose logarithm you take: is something added to it, or is it cut off? Can log Z − z do without it?"},
               {"log Z is between the greatest score and log V more, which puts the loss between two bounds", between_bounds_if_sharp, "What lies in your sum of exponentials: every score, and each once?"},
               {"equal scores cost log V, whatever the target is", equal_scores, "What do the q of a row sum to?"},
               {"the loss lies between the greatest score and log V more, less the mean of the scores by q", between_bounds, "What do the q of a row sum to?"}},
      .hints = {"What does a row of V equal scores cost? And a target whose score is 1,000 behind?",
                "Padding: a row of target −1 adds nothing to the sum and nothing to the count. Divide once, at the end.",
                "log Σ e^z is the greatest score plus the logarithm of a sum of exponentials that are at most 1. No probability is needed.",
                "The loss of a row is Σ_j q_j (c + log Σ_k e^(z_k − c) − z_j), with c = max z and q as above."},
  };
}

Stage gradient() {
  return {
      .function = "cross_entropy_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes = with_targets({
          {g_double_softmax, "loss/double-softmax", "Does the formula want scores, or probabilities?"},
          {g_no_max, "loss/no-max", "What are e^800 and e^−800?"},
          {g_whole_division, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?"},
          {not_divided, "loss/gradient-not-divided", "The loss is a mean. What is left of one row's share in it?",
           "not divided by the number of rows that count"},
          {g_padding_counted, "loss/padding-counted", "By how many rows do you divide?"},
          {gradient_of_padding, "loss/gradient-of-padding", "Does the loss change with the scores of padding?", "padding gets a gradient"},
          {g_padding_as_index, "loss/padding-as-index", "Where is dz[i][-1]?"},
          {target_missing, "loss/gradient-without-target", "Which score should go up?", "the probabilities alone, without what should come"},
          {g_sign, "loss/gradient-sign", "If the target's score grows, does the loss grow?", "what should come minus the probabilities"},
          {sigmoid_slope, "loss/gradient-times-slope", "What is the gradient of a row that is sure and wrong?",
           "(p − q) p (1 − p): a slope that the logarithm has undone"},
          {of_p, "loss/gradient-of-p", "Is it the probability that you differentiate by, or the score?",
           "−q / p, the gradient of the probabilities"},
          {target_only, "loss/gradient-at-target-only", "The target's score goes up. What becomes of the other probabilities?",
           "only the target's score gets a gradient"},
          {without_g, "loss/gradient-without-g", "What arrives from above?", "g is not used"},
          {g_class_0_left_out, "loss/class-0-left-out", "Which is the first class?"},
          {g_for_p_alone, "loss/g-for-p-alone", "g is 2, and p = q. What is dz, and what is yours?", "g multiplies p alone, not p − q"},
      }),
      .probes = loss_probes(true),
      .laws = {{"each row of dz sums to 0, as the same number added to all scores changes nothing", rows_sum_to_0, "What is subtracted from p, and in how many places?"},
               {"padding gets the gradient 0", padding_gets_0, "Where do you ask whether a row is padding?"},
               {"no number of dz is larger than |g| divided by the rows that count", no_number_above_share, "By how many rows do you divide?"}},
      .hints = {"The target's score goes up a little. What should the loss do, and how much, if the target has the probability 0.9?",
                "Each row by itself: probabilities, what should come, their difference. Padding gets 0, and is not counted.",
                "The slope of log Z is the softmax. The mean hands 1/N of g to each of its N rows.",
                "dz_j = g (p_j − q_j) / N, with N the rows that count; 0 in a row of padding."},
  };
}

Stage kl() {
  return {
      .function = "kl_divergence",
      .right = right_kl,
      .with = kl_with,
      .mistakes =
          {
              {kl_exchanged, "loss/kl-exchanged", "By whose probabilities is the mean taken: by what should come, or by what the model says?",
               "KL(q ‖ p) in place of KL(p ‖ q)", "aprender PR2153"},
              {kl_of_itself, "loss/kl-of-itself", "Which terms reach your sum? And which two distributions does a term compare?",
               "always 0: log p − log p, or a condition that no term fulfils", "labml#66"},
              {kl_over_classes, "loss/kl-mean-over-all", "How many divergences does a row have?",
               "the mean over rows and classes", "attention-transfer PR30"},
              {kl_sum, "loss/kl-sum", "Does your divergence grow with the number of rows?", "the sum over the rows, not their mean"},
              {without_entropy, "loss/kl-without-entropy", "What is KL(p ‖ p)?", "−Σ p log q, the cross-entropy: log p is missing"},
              {p_missing, "loss/kl-without-p", "How often does a class of probability 0 come?", "Σ (log p − log q): every class counts as much"},
              {weighted_by_q, "loss/kl-weighted-by-q", "By whose probabilities is the mean taken: by what should come, or by what the model says?",
               "q stands where p should, before log p − log q"},
              {log_for_p, "loss/kl-log-for-p", "What are you given: p, or log p?", "log p stands where p should"},
              {zero_times_infinity, "loss/kl-zero", "What is 0 · ∞ for a computer?", "0 times −∞ where p is 0"},
              {kl_sign, "loss/kl-sign", "Can a distance be negative?", "Σ p (log q − log p)"},
              {kl_classes_for_rows, "loss/kl-classes-for-rows", "Over what is the mean taken: rows, or classes?", "divided by the number of classes, not by that of rows"},
              {without_zero_q, "loss/kl-q-zero", "The model says that something never happens, and it does. How far is the model from what should come?",
               "what has q = 0 adds nothing, even where p is above 0: it should be ∞"},
              {quotient_of_logs, "loss/kl-quotient-of-logs", "log(p / q): is it log p / log q, or log p − log q?", "the logarithms are divided, not subtracted"},
              {of_probabilities, "loss/kl-of-probabilities", "What does a row with p = ½ and q = ¼ add for a class: ½ · log 2, or ½ · ¼?", "p (p − q), without logarithms"},
          },
      .probes = kl_probes(),
      .laws = {{"a divergence is never negative", not_negative, "Which distribution weighs the logarithms, and what is subtracted from what?"},
               {"the divergence of equals is 0", nothing_for_equals, "What is your term where p and q are equal?"}},
      .hints = {"p and q are equal: what is the divergence? And where p is ½ and q ¼, what does this class add?",
                "The logarithms are given; p itself is e^(log p). What has p = 0 is left out, what has q = 0 is not.",
                "It is a mean over what really comes: p weighs, and the difference of logarithms says how much more p expected it than q.",
                "Σ_j p_j (log p_j − log q_j), summed over all rows and divided by their number."},
  };
}

Stage perplexity_stage() {
  return {
      .function = "perplexity",
      .right = right_perplexity,
      .with = perplexity_with,
      .mistakes =
          {
              {mean_of_means, "loss/mean-of-means", "Does a token of a short part count more than one of a long part?", "the mean of the parts' means",
               "transformers PR34191, torchtune PR1875"},
              {mean_of_exp, "metric/mean-of-exp", "Which comes first: the mean, or the exponential?",
               "the mean of the parts' perplexities", "magenta PR239"},
              {weighted_mean_of_exp, "metric/weighted-mean-of-exp", "Which comes first: the mean, or the exponential?",
               "the mean of the parts' perplexities, weighted by their tokens"},
              {no_exponential, "metric/no-exponential", "In which unit is a mean loss, and in which a perplexity?",
               "the mean loss, without the exponential"},
              {base_2, "metric/base-2", "In which unit are the losses: in bits, or in nats?", "2 to the power of a loss in nats", "evaluate#241"},
              {by_parts, "metric/by-parts", "How many losses were added up?", "divided by the number of parts"},
              {not_by_tokens, "metric/sum-not-mean", "Is the perplexity of a text twice as long another?", "e to the power of the sum"},
              {exp_before_division, "metric/exponential-before-division", "Which comes first: the mean, or the exponential?",
               "e to the power of the sum, divided by the tokens"},
              {exp_of_minus, "metric/inverse", "Among how many does a model guess whose perplexity is below 1?",
               "e to the power of minus the mean loss"},
              {mean_of_means_of_all, "loss/mean-of-means", "Does a token of a short part count more than one of a long part? And what is 0/0?"},
              {mean_of_exp_of_all, "metric/mean-of-exp", "Which comes first: the mean, or the exponential? And what is 0/0?"},
              {last_part, "metric/last-part", "How many parts are in your answer?", "the perplexity of the last part alone"},
              {product_of_parts, "metric/product", "A text in two parts of perplexity 10 each: is the whole 10, or 100?", "the parts' perplexities are multiplied"},
          },
      .probes = perplexity_probes(),
      .laws = {{"the perplexity of the whole is between those of its parts", between_parts, "Is it the exponential of a mean, or a mean of exponentials? And over how many tokens?"}},
      .hints = {"A part of one token costs 2 nats, a part of three tokens 1 nat each. What is the mean over tokens?",
                "Two sums over the parts, and one division. An empty part then needs no care.",
                "A token counts as one, wherever the text was cut. The exponential comes last.",
                "e^(Σ sums / Σ counts)."},
  };
}

}  // namespace
}  // namespace in_cross_entropy

Functions cross_entropy(double (*value)(In, const int*, double), void (*gradient)(double, In, const int*, double, Out),
                        double (*kl_divergence)(In, In), double (*perplexity)(In, In)) {
  return {[=](const Probe& p) {
            const std::vector<int> target = in_cross_entropy::targets_of(p);
            return Outputs{number("loss", value(p.in("z"), target.data(), p.number("smoothing")))};
          },
          [=](const Probe& p) {
            const std::vector<int> target = in_cross_entropy::targets_of(p);
            Sheet dz("dz", p["z"].shape);
            gradient(p.number("g"), p.in("z"), target.data(), p.number("smoothing"), dz.out());
            return Outputs{dz.array()};
          },
          [=](const Probe& p) { return Outputs{number("divergence", kl_divergence(p.in("log_p"), p.in("log_q")))}; },
          [=](const Probe& p) { return Outputs{number("perplexity", perplexity(p.in("sum"), p.in("count")))}; }};
}

Exercise cross_entropy_exercise() {
  using namespace in_cross_entropy;
  return {
      .number = 7,
      .id = "cross-entropy",
      .title = "Cross-entropy, its gradient, and what is made of it",
      .section = "ch11-losses.md#loss-cross-entropy",
      .needs = {"softmax"},
      .minutes = 45,
      .done = "A mean is a sum divided once, by what was counted: padding and parts are where it goes wrong.",
      .stages = {value(), gradient(), kl(), perplexity_stage()},
      .choices = {{{"cross_entropy", "cross_entropy_gradient"},
                   {{"", "spreads smoothing over all V classes"}, {"loss/smoothing-over-others", "spreads smoothing over the other V − 1"}}}},
      .also = {"ch11-losses.md#loss-kl", "ch11-losses.md#loss-label-smoothing"},
  };
}

}  // namespace gradus::exercises::set
