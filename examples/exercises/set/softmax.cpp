#include "examples/exercises/set/softmax.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/activation/softmax.h"

namespace gradus::exercises::set {
namespace in_softmax {  // names that other exercises have as well
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum Wrong { axis, no_max, max_with_zero, max_of_all, max_kept, mean_for_max, least_for_max, max_above_only, max_below_only,
             whole_array, sum_kept, sum_so_far, no_exponential, exponent_negated, base_2, sigmoid, logarithm,
             max_so_far, not_divided, divided_by_n, whole_sum, sum_from_second, max_added, max_from_minus_100, one_added };

// Softmax of x, with what is wrong in it.
struct Softmax {
  In x;
  Made made;

  bool together(int i, int j, int a, int b) const { return made[axis] ? b == j : a == i; }

  double shift(int i, int j) const {
    double most = made[max_with_zero] ? 0 : made[max_from_minus_100] ? -100 : -kInfinity, least = kInfinity, sum = 0;
    int n = 0;
    for (int a = 0; a < x.rows; ++a) {
      for (int b = 0; b < x.columns; ++b) {
        if (!together(i, j, a, b) && !made[max_of_all] && !(made[max_kept] && a < i)) continue;
        if (made[max_so_far] && b > j) continue;
        most = std::max(most, x[a][b]);
        least = std::min(least, x[a][b]);
        sum += x[a][b];
        ++n;
      }
    }
    if (made[max_added]) return -most;
    return made[no_max] ? 0 : made[mean_for_max] ? sum / n : made[least_for_max] ? least : most;
  }

  double power(int i, int j, bool shifted) const {
    const double own = shifted ? x[i][j] - shift(i, j) : x[i][j], v = made[exponent_negated] ? -own : own;
    return made[no_exponential] ? x[i][j] : made[base_2] ? std::exp2(v) : std::exp(v);
  }

  double sum(int i, int j) const {
    double sum = made[one_added] ? 1 : 0;
    for (int a = 0; a < x.rows; ++a) {
      for (int b = 0; b < x.columns; ++b) {
        if (!together(i, j, a, b) && !made[whole_array] && !(made[sum_kept] && a < i)) continue;
        if ((made[sum_so_far] && (a > i || (a == i && b > j))) || (made[sum_from_second] && b == 0)) continue;
        sum += power(a, b, !made[max_above_only]);
        if (made[whole_sum]) sum = std::trunc(sum);
      }
    }
    return made[not_divided] ? 1 : made[divided_by_n] ? x.columns : sum;
  }

  double value(int i, int j) const {
    if (made[sigmoid]) return 1 / (1 + std::exp(-x[i][j]));
    const double y = power(i, j, !made[max_below_only]) / sum(i, j);
    return made[logarithm] ? std::log(y) : y;
  }
};

Outputs value_with(const Probe& p, Made made) {
  const Softmax wrong{p.in("x"), made};
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) y[i][j] = wrong.value(i, j);
  }
  return {sheet.array()};
}

enum WrongGradient { diagonal, as_log, plus_for_times, no_average, sign, average_over_n, unweighted, y_missing, gradient_axis,
                     gradient_whole_array, average_kept, average_so_far, softmax_again, off_diagonal, last_term, sum_without_y, own_g,
                     g_missing, off_diagonal_sign, of_squares, y_squared };

// dL/dx from g and y, with what is wrong in it.
struct Gradient {
  In g, y;
  Made made;

  double average(int i, int j) const {
    double sum = 0;
    for (int a = 0; a < y.rows; ++a) {
      for (int b = 0; b < y.columns; ++b) {
        const bool together = made[gradient_axis] ? b == j : a == i;
        if (!together && !made[gradient_whole_array] && !(made[average_kept] && a < i)) continue;
        if (made[average_so_far] && (a > i || (a == i && b > j))) continue;
        if (made[off_diagonal] && a == i && b == j) continue;
        const double last = made[last_term] && b + 1 < y.columns ? 0 : g[a][b] * y[a][b];
        sum += made[of_squares] ? y[a][b] * y[a][b] : made[plus_for_times] ? g[a][b] + y[a][b] : made[unweighted] || made[as_log] ? g[a][b] : last;
      }
    }
    return made[no_average] ? 0 : (made[sign] ? -sum : sum) / (made[average_over_n] ? y.columns : 1);
  }

  double value(int i, int j) const {
    const double p = made[y_missing] ? 1 : y[i][j];
    if (made[own_g]) return 0;
    if (made[sum_without_y]) return p * g[i][j] - average(i, j);
    if (made[diagonal]) return p * (1 - p) * g[i][j];
    if (made[as_log]) return g[i][j] - p * average(i, j);
    const bool own = !made[off_diagonal] && !(made[last_term] && j + 1 < y.columns);  // the way from x_j to y_j
    if (made[off_diagonal_sign]) return p * (g[i][j] + average(i, j) - 2 * g[i][j] * y[i][j]);
    return p * (made[y_squared] ? p : 1) * ((own && !made[g_missing] ? g[i][j] : 0) - average(i, j));
  }
};

Outputs gradient_with(const Probe& p, Made made) {
  const Array y = made[softmax_again] ? array_of("y", nn::softmax(tensor_of(p["y"]))) : p["y"];
  const Gradient wrong{p.in("g"), in(y), made};
  Sheet sheet("dx", y.shape);
  const Out dx = sheet.out();
  for (int i = 0; i < dx.rows; ++i) {
    for (int j = 0; j < dx.columns; ++j) dx[i][j] = wrong.value(i, j);
  }
  return {sheet.array()};
}

Array scores(int rows, int n, std::uint64_t seed, double around = 0) { return drawn("x", {rows, n}, seed, 2, around / 2 + 0.4); }

Array one_after_the_other(const std::vector<Array>& arrays) {
  Array all{arrays[0].name, {0, arrays[0].shape[1]}, {}};
  for (const Array& one : arrays) {
    all.shape[0] += one.shape[0];
    all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
  }
  return all;
}

std::vector<Probe> probes() {
  return {{"a row of 3, whose e^x are 1, 4 and 5", {array("x", {1, 3}, {0, std::log(4), std::log(5)})}},
          {"two rows of 5", {scores(2, 5, 61)}},
          {"four rows of 7", {scores(4, 7, 62)}},
          {"three rows of 4, of scores around −1000", {scores(3, 4, 63, -1000)}},
          {"two rows of 6, of scores around 800", {scores(2, 6, 64, 800)}},
          {"a row of scores around −800, one around 800, another around −800",
           {one_after_the_other({scores(1, 4, 65, -800), scores(1, 4, 66, 800), scores(1, 4, 67, -800)})}},
          {"a row of 4, one of them −∞", {array("x", {1, 4}, {0.5, -kInfinity, 2, -1})}},
          {"a row of 5 between −400 and 400", {array("x", {1, 5}, {-400, 398, 20, 400, 400})}},
          {"three rows of 3 between −1000 and 1000", {array("x", {3, 3}, {1000, -998, -1000, -1000, -998, 1000, -998, 1000, -1000})}}};
}

Probe gradient_probe(const std::string& name, const Array& x, std::uint64_t seed) {
  Array y = array_of("y", nn::softmax(tensor_of(x)));
  return {name, {drawn("g", x.shape, seed, 1, 0.3), y}};
}

std::vector<Probe> gradient_probes() {
  return {{"a row of 3", {array("g", {1, 3}, {2, -1, 1}), array("y", {1, 3}, {0.1, 0.4, 0.5})}},
          gradient_probe("two rows of 5", scores(2, 5, 71), 72),
          gradient_probe("four rows of 7", scores(4, 7, 73), 74),
          gradient_probe("a row of 4, one of its probabilities 0", array("x", {1, 4}, {0.5, -kInfinity, 2, -1}), 75),
          gradient_probe("three rows of 6, nearly sure", drawn("x", {3, 6}, 76, 12), 77)};
}

Outputs right_value(const Probe& p) { return {array_of("y", nn::softmax(tensor_of(p["x"])))}; }

Outputs right_gradient(const Probe& p) {
  const Tensor x = log(tensor_of(p["y"])).set_requires_grad();  // softmax of it is y again
  return {array_of("dx", grad({nn::softmax(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::string sums_to_1(const Probe&, const Outputs& outputs) {
  const In y = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < y.columns; ++j) sum += y[i][j];
    if (!(std::abs(sum - 1) < 1e-9)) return fmt::format("row {} sums to {:.9g}", i, sum);
  }
  return "";
}

std::string ratios_of_exponentials(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 1; j < y.columns; ++j) {
      const auto [less, more] = std::minmax(y[i][0], y[i][j]);
      if (!(std::abs(less - std::exp(-std::abs(x[i][j] - x[i][0])) * more) <= 1e-9 * more)) {
        return fmt::format("the scores {:.4g} and {:.4g} have the probabilities {:.4g} and {:.4g}", x[i][0], x[i][j], y[i][0], y[i][j]);
      }
    }
  }
  return "";
}

std::string sums_to_0(const Probe&, const Outputs& outputs) {
  const In dx = in(outputs[0]);
  for (int i = 0; i < dx.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < dx.columns; ++j) sum += dx[i][j];
    if (!(std::abs(sum) < 1e-9)) return fmt::format("row {} sums to {:.9g}", i, sum);
  }
  return "";
}

std::string nothing_without_probability(const Probe& p, const Outputs& outputs) {
  const In y = p.in("y"), dx = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) {
      if (y[i][j] == 0 && dx[i][j] != 0) return fmt::format("dx[{}][{}] is {:.4g}", i, j, dx[i][j]);
    }
  }
  return "";
}

Stage value() {
  return {
      .function = "softmax",
      .right = right_value,
      .with = value_with,
      .mistakes =
          {
              {axis, "softmax/axis", "Which numbers sum to 1: those of a row, or those of a column?"},
              {no_max, "softmax/no-max", "What are e^800 and e^−800 for a computer? And ∞ / ∞, and 0 / 0?", "the greatest score is not subtracted",
               "mxnet-the-straight-dope#3, nupic PR3818"},
              {max_with_zero, "softmax/max-with-zero", "What is the greatest score of a row whose scores are all −1000? And with which number does your search begin?",
               "the search for the greatest score begins with 0, or another number that is too large", "NNlib.jl PR43"},
              {max_of_all, "softmax/max-of-all-rows", "One row lies 1,600 below another. What is left of its exponentials?",
               "the greatest score of the whole array is subtracted from every row"},
              {max_kept, "softmax/max-kept", "With which value does the search for the greatest begin in the second row?",
               "the greatest score is not searched anew in each row"},
              {mean_for_max, "softmax/mean-subtracted", "Is every exponent 0 or less?", "the mean of a row is subtracted, not its greatest score"},
              {least_for_max, "softmax/least-subtracted", "Is every exponent 0 or less?", "the least score of a row is subtracted, not the greatest"},
              {max_above_only, "softmax/max-above-only", "From how many of the exponents is the greatest score subtracted?",
               "the greatest score is subtracted above the line, and not in the sum"},
              {max_below_only, "softmax/max-below-only", "From how many of the exponents is the greatest score subtracted?",
               "the greatest score is subtracted in the sum, and not above the line"},
              {whole_array, "softmax/whole-array", "How many sums are there for four rows?", "one sum for all rows"},
              {sum_kept, "softmax/sum-kept", "What is the sum before the second row begins?", "the sum goes on from row to row"},
              {sum_so_far, "softmax/sum-so-far", "Is the sum complete when you divide the first number?",
               "each number is divided by the sum up to it"},
              {no_exponential, "softmax/no-exponential", "How do negative scores become positive?", "each score is divided by the sum of the scores"},
              {exponent_negated, "softmax/exponent-negated", "Which score gets the greatest probability?", "e^(c − x) in place of e^(x − c)"},
              {base_2, "softmax/base-2", "Which number is raised to the power of the score?", "2^x in place of e^x"},
              {sigmoid, "softmax/sigmoid", "Does your y_i change if another score does?", "a sigmoid of each score by itself"},
              {logarithm, "softmax/logarithm", "Can a probability be negative?", "the logarithm of softmax"},
              {max_so_far, "softmax/max-so-far", "Is the greatest score known when you subtract it from the first?", "from each score the greatest so far is subtracted, not the greatest of the row"},
              {not_divided, "softmax/not-divided", "To what do the numbers of a row of y sum?", "the exponentials are not divided by their sum"},
              {divided_by_n, "softmax/divided-by-n", "To what do the numbers of a row of y sum?", "divided by n, where the sum of the exponentials is meant"},
              {whole_sum, "softmax/whole-sum", "What becomes of e^−1 in an int?", "the sum is kept in whole numbers"},
              {sum_from_second, "softmax/sum-from-second", "How many exponentials has a row of 3, and how many has your sum?", "the first exponential is not in the sum"},
              {max_from_minus_100, "softmax/max-with-zero", "What is the greatest score of a row whose scores are all −1000? And with which number does your search begin?"},
              {one_added, "softmax/one-added", "What is the sum before the first exponential?", "1 is added to the sum of exponentials", "softmax1 (Miller, 2023)"},
              {max_added, "softmax/max-added", "What are the greatest score's exponent, and the exponential of it?", "the greatest score is added, not subtracted"},
          },
      .probes = probes(),
      .laws = {{"each row of y sums to 1", sums_to_1, "By which sum do you divide, and over which axis is it?"},
               {"of two scores, the one that is greater by d has e^d times the probability", ratios_of_exponentials, "Which function of a score is divided by the sum?"}},
      .hints = {"100 is added to all scores of a row. What happens to y? And what is e^1000 for a computer?",
                "A row is passed three times: to find its greatest score, to add up exponentials, to divide.",
                "y depends on differences of scores alone, so the greatest one may be subtracted: then no exponential is above 1, and one is 1.",
                "y_j = e^(x_j − c) / Σ_k e^(x_k − c), with c the greatest score of this row."},
  };
}

Stage gradient() {
  return {
      .function = "softmax_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes =
          {
              {diagonal, "softmax/diagonal-only", "How many outputs of a row change when one score does?",
               "y (1 − y) g, the sigmoid's rule: the other outputs are forgotten", "libnd4j#440"},
              {as_log, "softmax/gradient-of-log", "Whose gradient is g − y Σ g?", "the gradient of log-softmax"},
              {plus_for_times, "softmax/plus-for-times", "What is averaged over the row: g + y, or g · y?",
               "the sum over the row is of g + y, not of g · y"},
              {no_average, "softmax/average-missing", "One score goes up. What happens to the other probabilities?",
               "dx = y ⊙ g, and no sum over the row"},
              {sign, "softmax/gradient-sign", "If g is the same for all, what is dx?", "the sum over the row is added, not subtracted"},
              {average_over_n, "softmax/average-divided-by-n", "The weights y sum to 1 already. What is left to divide by?",
               "the sum of g · y is divided by n"},
              {unweighted, "softmax/average-unweighted", "Does an output of probability 0 count in the sum?",
               "the sum over the row is of g, without y"},
              {y_missing, "softmax/gradient-without-y", "What is the gradient of a score whose probability is 0?",
               "dx = g − Σ g · y: a factor y is missing"},
              {gradient_axis, "softmax/gradient-axis", "Along which axis did softmax go?", "the sum of g · y is taken over a column"},
              {gradient_whole_array, "softmax/gradient-whole-array", "How many sums are there for four rows?", "one sum of g · y for all rows"},
              {average_kept, "softmax/gradient-sum-kept", "What is the sum before the second row begins?", "the sum of g · y goes on from row to row"},
              {average_so_far, "softmax/gradient-sum-so-far", "Is the sum complete when you use it first?", "each number uses the sum of g · y up to it"},
              {softmax_again, "softmax/softmax-again", "Is y a row of scores, or what softmax made of them?", "softmax is applied to y once more"},
              {off_diagonal, "softmax/off-diagonal-only", "On which way does x_j reach its own y_j?", "−y_i Σ g_k y_k over the other k alone"},
              {last_term, "softmax/last-term", "n terms go into one number. How many of them are in yours?", "each term overwrites the one before"},
              {sum_without_y, "softmax/sum-without-y", "If g is 1 for all, what is dx, and what is yours?", "dx = y ⊙ g − Σ g · y: the sum is not multiplied by y"},
              {own_g, "softmax/own-g-alone", "The loss feels x_j through every y_i. Which g belongs to the way through y_i?",
               "each row of the Jacobian is multiplied by its own g, and then it sums to 0"},
              {g_missing, "softmax/g-missing", "x_j grows. What does the numerator e^x_j do to y_j, and where is that in your dx?", "dx = −y Σ g · y: the term with the own g is missing"},
              {off_diagonal_sign, "softmax/off-diagonal-sign", "One score goes up. Do the other probabilities go up, or down?", "dy_i/dx_j is + y_i y_j for i ≠ j, where − is meant"},
              {of_squares, "softmax/sum-of-squares", "The average over the row: of what is it?", "the sum over the row is of y², where g · y is meant"},
              {y_squared, "softmax/y-squared", "How many times does y_j stand in y_i (δ_ij − y_j), summed with g?", "y multiplies twice"},
          },
      .probes = gradient_probes(),
      .laws = {{"each row of dx sums to 0, as the same number added to all scores changes nothing", sums_to_0, "What is subtracted from g before y multiplies it?"},
               {"what has the probability 0 gets no gradient", nothing_without_probability, "Which factor should make the whole of dx 0 where y is 0?"}},
      .hints = {"One score goes up. What do the other probabilities of its row do, and to what do all changes sum?",
                "One sum for each row, of g and y together; then a second pass that uses it.",
                "dx compares each g with the average of g over the row, weighted by y.",
                "dy_i/dx_j = y_i (δ_ij − y_j). Summed over i with g_i, this is y_j times (g_j − q), where q = Σ_i g_i y_i."},
  };
}

}  // namespace
}  // namespace in_softmax

Functions softmax(void (*value)(In, Out), void (*gradient)(In, In, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            value(p.in("x"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet dx("dx", p["y"].shape);
            gradient(p.in("g"), p.in("y"), dx.out());
            return Outputs{dx.array()};
          }};
}

Exercise softmax_exercise() {
  return {
      .number = 6,
      .id = "softmax",
      .title = "Softmax, and its gradient by hand",
      .section = "ch01.md#act-softmax",
      .needs = {},
      .minutes = 35,
      .done = "Every score changes every probability of its row: that is the sum in the gradient, and y (1 − y) lacks it.",
      .stages = {in_softmax::value(), in_softmax::gradient()},
  };
}

}  // namespace gradus::exercises::set
