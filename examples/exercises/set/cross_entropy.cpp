#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/cross_entropy.h"
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

// Log Z of row i.
double log_z(const In& z, int i) {
  const double most = *std::max_element(z[i], z[i] + z.columns);
  double sum = 0;
  for (int k = 0; k < z.columns; ++k) sum += std::exp(z[i][k] - most);
  return most + std::log(sum);
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
      loss_probe("two rows of 4, the target 1,000 behind, smoothed by 0.1", array("z", {2, 4}, {500, -500, 499, 497, -500, 498, 499, 500}),
                 {1, 0}, 0.1, 0.9),
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
          probe("two rows of 5", scores(2, 5, 91), scores(2, 5, 92)),
          probe("four rows of 3", scores(4, 3, 93), scores(4, 3, 94)),
          probe("two rows of 4, p and q alike", scores(2, 4, 95), scores(2, 4, 95)),
          probe("two rows of 5, in which some p are 0", array("x", {2, 5}, {0.5, -kInfinity, 1, -kInfinity, -kInfinity, 2, -1, 0, 0.3, 1}),
                scores(2, 5, 96)),
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

Outputs right_perplexity(const Probe& p) { return {array_of("perplexity", exp(sum(tensor_of(p["sum"])) / sum(tensor_of(p["count"]))))}; }

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
  return fmt::format("that is between {} and {}, and the loss is {}", beside(least, loss), beside(most, loss),
                     beside(loss, loss < least ? least : most));
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
  return std::abs(loss - expected) < 1e-9
             ? ""
             : fmt::format("V is {}, and the loss {}, not {}", z.columns, beside(loss, expected), beside(expected, loss));
}

// What each row costs; padding costs nothing.
std::vector<double> costs_of(const Probe& p) {
  const In z = p.in("z");
  const double eps = p.number("smoothing");
  const std::vector<int> target = targets_of(p);
  std::vector<double> costs;
  for (int i = 0; i < z.rows; ++i) {
    double cost = 0;
    for (int j = 0; j < z.columns && target[static_cast<std::size_t>(i)] >= 0; ++j) {
      const double q = (j == target[static_cast<std::size_t>(i)] ? 1 - eps : 0) + eps / z.columns;
      cost += q * (log_z(z, i) - z[i][j]);
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
  return fmt::format("they go from {} to {}, and that of the whole is {}", beside(least, all), beside(most, all),
                     beside(all, all < least ? least : most));
}

}  // namespace
}  // namespace in_cross_entropy

Functions cross_entropy(double (*value)(In, const int*, double), void (*gradient)(double, In, const int*, double, Out),
                        double (*kl_divergence)(In, In), double (*perplexity)(In, In)) {
  return {by_names(value, {"z", "target", "smoothing"}, "loss"), by_names(gradient, {"g", "z", "target", "smoothing", "dz = z"}),
          by_names(kl_divergence, {"log_p", "log_q"}, "divergence"), by_names(perplexity, {"sum", "count"}, "perplexity")};
}

Exercise cross_entropy_exercise() {
  using namespace in_cross_entropy;
  return made_cross_entropy::exercise(
      {
          {
              .right = right_value,
              .probes = loss_probes(false),
              .laws =
                  {{"the loss is the mean over the rows that are no padding", counts_rows_with_target,
                    "Which rows did you count, and which did you divide by?"},
                   {"a target whose score is 1,000 behind costs about 1,000", far_behind_costs_much,
                    "Which is the smallest number whose logarithm you take: is something added to it, or is it cut off? Can log Z − z do "
                    "without it?"},
                   {"log Z is between the greatest score and log V more, which puts the loss between two bounds", between_bounds_if_sharp,
                    "What lies in your sum of exponentials: every score, and each once?"},
                   {"equal scores cost log V, whatever the target is", equal_scores, "What do the q of a row sum to?"},
                   {"the loss lies between the greatest score and log V more, less the mean of the scores by q", between_bounds,
                    "What do the q of a row sum to?"}},
          },
          {
              .right = right_gradient,
              .probes = loss_probes(true),
              .laws = {{"each row of dz sums to 0, as the same number added to all scores changes nothing", rows_sum_to_0,
                        "What is subtracted from p, and in how many places?"},
                       {"padding gets the gradient 0", padding_gets_0, "Where do you ask whether a row is padding?"},
                       {"no number of dz is larger than |g| divided by the rows that count", no_number_above_share,
                        "By how many rows do you divide?"}},
          },
          {
              .right = right_kl,
              .probes = kl_probes(),
              .laws = {{"a divergence is never negative", not_negative,
                        "Which distribution weighs the logarithms, and what is subtracted from what?"},
                       {"the divergence of equals is 0", nothing_for_equals, "What is your term where p and q are equal?"}},
          },
          {
              .right = right_perplexity,
              .probes = perplexity_probes(),
              .laws = {{"the perplexity of the whole is between those of its parts", between_parts,
                        "Is it the exponential of a mean, or a mean of exponentials? And over how many tokens?"}},
          },
      },
      {{{"cross_entropy", "cross_entropy_gradient"},
        {{"", "spreads smoothing over all V classes"}, {"loss/smoothing-over-others", "spreads smoothing over the other V − 1"}}}});
}

}  // namespace gradus::exercises::set
