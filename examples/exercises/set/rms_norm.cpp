#include "examples/exercises/set/rms_norm.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/norm/rms_norm.h"

namespace gradus::exercises::set {
namespace {

enum Wrong { eps_outside, eps_missing, eps_hard_coded, sum_not_mean, unbiased, l1, square_forgotten, whole_array, over_columns, centred,
             gain_missing, gain_plus_one, gain_twice, gain_below, gain_of_row, layer_norm_instead, eps_over_n, whole_division, sum_kept, so_far,
             whole_sum, square_of_sum, root_before_mean, root_before_mean_alone, r_multiplied, eps_as_floor, eps_squared,
             eps_after_inverse, eps_subtracted, gain_added, gain_first, squared_for_root };

Outputs value_with(const Probe& p, Made made) {
  const In x = p.in("x"), gain = p.in("gain");
  const double eps = made[eps_hard_coded] ? 1e-6 : made[eps_missing] ? 0 : p.number("eps") / (made[eps_over_n] ? x.columns : 1);
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  const auto size_of = [&](int i, int j) {  // the mean square of what is averaged
    double sum = 0, mean = 0;
    int n = 0;
    const bool all_rows = made[whole_array] || made[over_columns], one_column = !made[whole_array] && made[over_columns];
    const auto each = [&](auto f) {
      for (int a = all_rows || made[sum_kept] ? 0 : i; a < (all_rows ? x.rows : i + 1); ++a) {
        for (int b = one_column ? j : 0; b < (one_column || made[so_far] ? j + 1 : x.columns); ++b) f(x[a][b]);
      }
    };
    each([&](double v) { mean += v, ++n; });
    mean /= n;
    each([&](double v) {
      const double from = made[centred] || made[layer_norm_instead] ? v - mean : v;
      sum += made[l1] ? std::abs(from) : from * from;
      if (made[whole_sum]) sum = std::trunc(sum);
    });
    if (made[whole_division]) return 0.0;
    if (made[square_of_sum]) sum = mean * mean * n * n;
    if (made[sum_kept] || made[so_far]) n = x.columns;
    return made[sum_not_mean] ? sum : sum / (made[unbiased] ? n - 1 : n);
  };
  const auto mean_of = [&](int i) { return std::accumulate(x[i], x[i] + x.columns, 0.0) / x.columns; };
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const double square = size_of(i, j), given = gain[0][made[gain_of_row] ? i : j], above = x[i][j] - (made[layer_norm_instead] ? mean_of(i) : 0);
      double r = made[square_forgotten] ? square + eps : made[eps_outside] ? std::sqrt(square) + eps : std::sqrt(square + eps);
      if (made[root_before_mean]) r = std::sqrt(square * x.columns + eps) / x.columns;
      if (made[root_before_mean_alone]) r = std::sqrt(square * x.columns) / x.columns + eps;
      if (made[eps_as_floor]) r = std::sqrt(std::max(square, eps));
      if (made[eps_squared]) r = std::sqrt(square + eps * eps);
      if (made[eps_after_inverse]) r = 1 / (1 / std::sqrt(square) + eps);
      if (made[eps_subtracted]) r = std::sqrt(square - eps);
      if (made[squared_for_root]) r = std::pow(square + eps, 2);
      if (made[r_multiplied]) r = 1 / r;
      const double factor = made[gain_missing] ? 1 : made[gain_plus_one] ? 1 + given : made[gain_twice] ? given * given : made[gain_first] ? gain[0][0] : given;
      y[i][j] = made[gain_added] ? above / r + factor : made[gain_below] ? above / (r * factor) : above / r * factor;
    }
  }
  return {sheet.array()};
}

enum WrongGradient { second_term_missing, mean_missing, gain_left_out, r_squared, sign, dgain_of_x, dgain_of_one_row, dgain_mean,
                     without_gain, gain_in_sum_alone, gain_last, dgain_with_gain, doubled, halved, kept_from_one, r_missing, gradient_gain_of_row, gradient_eps_over_n,
                     sums_kept, squares_kept, dot_kept, r_left_out, r_above, along_y, x_left_out, dot_so_far, whole_mean, gradient_eps_missing,
                     gradient_eps_outside, dgain_over_r_squared, dgain_by_division, second_eps_missing };

Outputs gradient_with(const Probe& p, Made made) {
  const In g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  Sheet dx_sheet("dx", p["x"].shape), dgain_sheet("dgain", p["gain"].shape);
  const Out dx = dx_sheet.out(), dgain = dgain_sheet.out();
  const int n = x.columns;
  int row = 0;
  const auto factor = [&](int j) { return gain[0][made[gradient_gain_of_row] ? row : j] + (made[kept_from_one] ? 1 : 0); };
  const auto term = [&](int i, int j) { return g[i][j] * (made[gain_left_out] || made[without_gain] || made[gain_last] ? 1 : factor(j)) * x[i][j]; };
  for (int j = 0; j < n; ++j) dgain[0][j] = 0;
  double squares = 0, dot = 0;
  for (int i = 0; i < x.rows; ++i) {
    if (!made[sums_kept] && !made[squares_kept]) squares = 0;
    if (!made[sums_kept] && !made[dot_kept]) dot = 0;
    row = i;
    for (int j = 0; j < n; ++j) {
      squares += x[i][j] * x[i][j];
      if (!made[dot_so_far]) dot += term(i, j);
    }
    const double eps = made[gradient_eps_missing] ? 0 : p.number("eps") / (made[gradient_eps_over_n] ? n : 1), mean = made[whole_mean] ? 0 : squares / n;
    const double r = made[gradient_eps_outside] ? std::sqrt(mean) + eps : std::sqrt(mean + eps);
    for (int j = 0; j < n; ++j) {
      if (made[dot_so_far]) dot += term(i, j);
      const double of_r = made[r_left_out] ? 1 : made[second_eps_missing] ? mean : made[r_above] ? 1 / (r * r) : r * (made[r_squared] ? 1 : r);
      double back = dot * (made[doubled] ? 2 : 1) / (made[halved] ? 2 : 1) / ((made[mean_missing] ? 1 : n) * of_r) * (made[x_left_out] ? 1 : x[i][j]);
      if (made[along_y]) back *= factor(j);
      if (made[second_term_missing]) back = 0;
      const bool bare = made[without_gain] || made[gain_in_sum_alone] || made[gain_last];
      dx[i][j] = (g[i][j] * (bare ? 1 : factor(j)) + (made[sign] ? back : -back)) / (made[r_missing] ? 1 : r) * (made[gain_last] ? factor(j) : 1);
      const double given = factor(j), below = made[dgain_of_x] ? 1 : made[dgain_over_r_squared] ? r * r : r;
      const double one = g[i][j] * x[i][j] / below * (made[dgain_with_gain] ? given : made[dgain_by_division] ? given / given : 1);
      dgain[0][j] = made[dgain_of_one_row] ? one : dgain[0][j] + (made[dgain_mean] ? one / x.rows : one);
    }
  }
  return {dx_sheet.array(), dgain_sheet.array()};
}

Probe probe(const std::string& name, int rows, int n, double eps, double size, std::uint64_t seed, bool with_g) {
  Probe p{name, {drawn("x", {rows, n}, seed, size, 0.4), drawn("gain", {1, n}, seed + 1, 0.5, 3), number("eps", eps)}};
  if (with_g) p.inputs.insert(p.inputs.begin(), drawn("g", {rows, n}, seed + 2));
  return p;
}

std::vector<Probe> probes(bool with_g) {
  std::vector<Probe> all = {probe("a row of 3, ε = 0.25", 1, 3, 0.25, 1, 11, with_g),
                            probe("two rows of 5, ε = 10⁻⁵", 2, 5, 1e-5, 1, 12, with_g),
                            probe("four rows of 7, ε = 10⁻²", 4, 7, 1e-2, 1, 13, with_g),
                            probe("three rows of 6, of size 10⁻³, ε = 4·10⁻⁶", 3, 6, 4e-6, 1e-3, 14, with_g),
                            probe("three rows of 4, of size 10⁴, ε = 10⁻⁵", 3, 4, 1e-5, 1e4, 15, with_g)};
  if (with_g) {  // no law divides by it
    all[2].name += ", one gain 0";
    all[2].inputs[2].numbers[2] = 0;
  }
  return all;
}

Outputs right_value(const Probe& p) {
  const Tensor gain = reshape(tensor_of(p["gain"]), {p["gain"].shape.back()});
  return {array_of("y", nn::rms_norm(tensor_of(p["x"]), gain, p.number("eps")))};
}

Outputs right_gradient(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), gain = tensor_of(p["gain"]).set_requires_grad();
  const Tensor y = nn::rms_norm(x, reshape(gain, {gain.size(1)}), p.number("eps"));
  const Tensors grads = grad({y}, {x, gain}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dx", grads[0]), array_of("dgain", grads[1])};
}

std::string mean_square_is_nearly_one(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < x.rows; ++i) {
    double of_x = 0, of_y = 0;
    for (int j = 0; j < x.columns; ++j) {
      const double y = outputs[0].numbers[static_cast<std::size_t>(i * x.columns + j)] / gain[0][j];
      of_x += x[i][j] * x[i][j] / x.columns;
      of_y += y * y / x.columns;
    }
    const double expected = of_x / (of_x + p.number("eps"));
    if (std::abs(of_y - expected) > 1e-6 * expected) return fmt::format("that of row {} is {}, not {}", i, beside(of_y, expected), beside(expected, of_y));
  }
  return "";
}

// The same where ε is too small to be to blame.
std::string mean_square_is_one(const Probe& p, const Outputs& outputs) {
  const double most = largest(p["x"]);
  return p.number("eps") > 1e-4 * most * most ? "" : mean_square_is_nearly_one(p, outputs);
}

std::string at_right_angles(const Probe& p, const Outputs& outputs) {
  const In g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < x.rows; ++i) {
    double square = 0, dot = 0, sum = 0;
    for (int j = 0; j < x.columns; ++j) {
      square += x[i][j] * x[i][j] / x.columns;
      dot += g[i][j] * gain[0][j] * x[i][j];
      sum += outputs[0].numbers[static_cast<std::size_t>(i * x.columns + j)] * x[i][j];
    }
    const double r = std::sqrt(square + p.number("eps")), expected = dot * p.number("eps") / (r * r * r);
    if (std::abs(sum - expected) > 1e-6 * std::abs(dot / r)) return fmt::format("that of row {} is {}, not {}", i, beside(sum, expected), beside(expected, sum));
  }
  return "";
}

Stage rms_value() {
  return {
      .function = "rms_norm",
      .right = right_value,
      .with = value_with,
      .mistakes =
          {
              {eps_outside, "norm/eps-outside-root", "Where does ε stand: below the root, or beside it?"},
              {eps_missing, "norm/eps-missing", "What is y for a row of zeros?", "no ε: a row of zeros is divided by 0"},
              {eps_hard_coded, "norm/eps-hard-coded", "What happens when somebody asks for another ε?"},
              {sum_not_mean, "norm/sum-not-mean", "A row of n ones: what is r for n = 3, and for n = 7? And what is yours?", "Σ x² in place of its mean"},
              {unbiased, "norm/unbiased", "Which number divides the sum of squares?", "the mean square divided by n − 1"},
              {l1, "norm/l1", "Which mean is it: of the sizes, or of the squares?", "the mean of |x| in place of the root of the mean of x²"},
              {square_forgotten, "norm/root-forgotten", "Twice as large an x: how does your y change?", "divided by the mean square, not by its root"},
              {whole_array, "norm/whole-array", "Does your r differ from row to row?", "one r for all rows"},
              {over_columns, "norm/over-columns", "Over which axis is the mean taken?", "the mean taken over the rows"},
              {centred, "norm/centred", "What happens to a row whose numbers are all 5?", "the mean subtracted before squaring, as layer norm does"},
              {gain_missing, "norm/gain-missing", "The gain doubled: what should y do, and what does yours?", "no gain"},
              {gain_plus_one, "norm/gain-plus-one", "What does a gain of 0 give?", "the gain is kept as its distance from 1", "Gemma", true},
              {gain_twice, "norm/gain-twice", "How often is the gain used?", "multiplied by the gain twice"},
              {gain_below, "norm/gain-below", "Does a larger gain make y larger?", "divided by the gain"},
              {gain_of_row, "norm/gain-of-row", "Which number of the gain belongs to column j?", "gain[0][i]: all numbers of a row get the same gain"},
              {layer_norm_instead, "norm/layer-norm-for-rms", "What happens to a row whose numbers are all 5?", "the mean is subtracted: this is layer norm"},
              {eps_over_n, "norm/eps-over-n", "Is ε added before the sum is divided by n, or after it?", "ε is divided by n as well"},
              {whole_division, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?", "1 / n of whole numbers, which is 0: only ε is left below the root"},
              {sum_kept, "norm/sum-kept", "What is left in the sum when the second row begins?", "a sum goes on from row to row"},
              {so_far, "norm/sum-so-far", "Is the sum complete when you divide the first number of a row?", "each number is divided by what has been summed up to it"},
              {whole_sum, "norm/whole-sum", "What becomes of 0.7 in an int?", "the sum is kept in whole numbers"},
              {square_of_sum, "norm/square-of-sum", "What is r for the row 1, −1?", "the square of the sum, where the sum of the squares is meant"},
              {root_before_mean, "norm/root-before-mean", "A row of n ones: what is r for n = 4, and what is yours?", "√Σ / n: the root is taken before the division by n"},
              {root_before_mean_alone, "norm/root-before-mean", "A row of n ones: what is r for n = 4, and what is yours?"},
              {r_multiplied, "norm/r-multiplied", "x twice as large: what becomes of y?", "multiplied by r, not divided"},
              {eps_as_floor, "norm/eps-as-floor", "A mean square of 1 and an ε of 1: what is r?", "ε is a lower bound, not added"},
              {eps_squared, "norm/eps-squared", "A row of zeros: what is r, in terms of ε?", "ε² below the root"},
              {eps_after_inverse, "norm/eps-after-inverse", "To what is ε added: to the mean square, or to 1 over its root?", "ε is added to 1 / √(mean of x²)"},
              {eps_subtracted, "norm/eps-subtracted", "A row of zeros: what stands below the root?", "ε is subtracted"},
              {gain_added, "norm/gain-added", "The gain doubled: what should y do, and what does yours?", "the gain is added, not multiplied by"},
              {gain_first, "norm/gain-first", "Which number of the gain belongs to column j?", "gain[0][0] for all columns"},
              {squared_for_root, "norm/squared-for-root", "x twice as large: y stays. What does yours do?", "squared where the root is meant", "TPlinker#37"},
          },
      .probes = probes(false),
      .laws = {{"without the gain, the mean square of y over a row is 1, if ε is tiny beside the numbers", mean_square_is_one, "By what is a row divided: the root of which mean?"},
               {"without the gain, the mean square of y over a row is m / (m + ε), where that of x is m", mean_square_is_nearly_one, "Where does ε stand?"}},
      .hints = {"What do you know of the mean of y² over a row, if the gain is 1 and ε is tiny?",
                "r belongs to a row: one pass over the row finds it, a second one uses it.",
                "Making a row longer does not change y, but for ε: r grows as much as x.",
                "y_j = x_j / √(Σ_k x_k² / n + ε) · gain_j."},
  };
}

Stage rms_gradient() {
  return {
      .function = "rms_norm_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes =
          {
              {second_term_missing, "norm/r-held-constant", "r is made of x, too. What comes back through it?", "dx = ĝ / r: the gradient through r is missing"},
              {mean_missing, "norm/gradient-sum-not-mean", "Your r is a mean. Where is its 1/n in the gradient?", "the second term of dx lacks 1/n"},
              {gain_left_out, "norm/gradient-without-gain", "What arrives at x / r: g, or g ⊙ gain?", "the second term of dx uses g where ĝ = g ⊙ gain is meant"},
              {r_squared, "norm/gradient-r-squared", "How many r stand below the second term?", "the second term of dx lacks one r"},
              {sign, "norm/gradient-sign", "r grows with x. Does y then grow, or shrink?", "the second term of dx has the other sign"},
              {dgain_of_x, "norm/dgain-of-x", "The gain multiplies x, or x / r?", "dgain = Σ g ⊙ x, not over r"},
              {dgain_of_one_row, "norm/dgain-of-one-row", "How many rows use one gain?", "dgain of the last row alone"},
              {dgain_mean, "op/mean-for-sum", "Do gradients of several uses add up, or average?", "gradients of several uses are averaged"},
              {without_gain, "norm/gradient-gain-nowhere", "What arrives at x / r: g, or g ⊙ gain?", "dx is made of g, where ĝ = g ⊙ gain is meant"},
              {gain_in_sum_alone, "norm/gradient-gain-in-sum-alone", "What arrives at x / r: g, or g ⊙ gain? In how many of your terms?", "the first term of dx is of g, where ĝ = g ⊙ gain is meant"},
              {gain_last, "norm/gradient-gain-last", "Does the gain come before the norm, or after it? Which gradient arrives at x / r?", "dx is made of g and multiplied by the gain at the end; its sums have g in place of ĝ"},
              {dgain_with_gain, "norm/dgain-with-gain", "What does the gain multiply: x / r, or y?", "dgain is multiplied by the gain"},
              {doubled, "norm/gradient-doubled", "The slope of x² is 2x, that of √s is 1 / (2 √s). What is left of the 2?", "the term that comes through r is twice as large"},
              {halved, "norm/gradient-halved", "The slope of x² is 2x, that of √s is 1 / (2 √s). What is left of the ½?", "the term that comes through r is half as large"},
              {kept_from_one, "norm/gain-plus-one", "", "", "", true},
              {r_missing, "norm/gradient-r-missing", "x twice as large: y stays. What does dx do?", "dx is not divided by r"},
              {gradient_gain_of_row, "norm/gain-of-row", "Which number of the gain belongs to column j?"},
              {gradient_eps_over_n, "norm/eps-over-n", "Is ε added before the sum is divided by n, or after it?"},
              {sums_kept, "norm/sum-kept", "What is left in your sums when the second row begins?"},
              {squares_kept, "norm/sum-kept", "What is left in the sum of squares when the second row begins?"},
              {dot_kept, "norm/sum-kept", "What is left in the sum of ĝ ⊙ x when the second row begins?"},
              {r_left_out, "norm/gradient-without-r-squared", "How many r stand below the second term?", "the second term of dx lacks both r of mean(ĝ ⊙ x) / r²"},
              {r_above, "norm/gradient-r-above", "In a / n * r * r, does r stand above the line, or below?", "the second term of dx is multiplied by r², where it should be divided"},
              {along_y, "norm/gradient-along-y", "Which vector is taken away: x / r, or y, which has the gain in it?", "the second term of dx goes along y, where x / r is meant"},
              {x_left_out, "norm/gradient-without-x", "Is what comes back through r the same for all columns?", "the second term of dx lacks its factor x"},
              {dot_so_far, "norm/sum-so-far", "Is the sum complete when you use it for the first number of a row?"},
              {whole_mean, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?"},
              {gradient_eps_missing, "norm/eps-missing", "Is your r the same as in the value, ε and all?"},
              {second_eps_missing, "norm/eps-missing-in-second-term", "r stands in both terms. Is it the same number in each?", "ε is missing where the sum is divided by r²"},
              {gradient_eps_outside, "norm/eps-outside-root", "Where does ε stand: below the root, or beside it?"},
              {dgain_over_r_squared, "norm/dgain-over-r-squared", "The gain multiplies x / r. How many r are there?", "dgain is divided by r twice"},
              {dgain_by_division, "norm/dgain-by-division", "What is y / gain where the gain is 0?", "x / r is made as y / gain, which is 0/0 where the gain is 0"},
          },
      .probes = probes(true),
      .laws = {{"the sum of dx ⊙ x over a row is what ε leaves of it, as but for ε a longer x gives the same y", at_right_angles, "What comes back through r? Which term takes the part along x away?"}},
      .hints = {"x becomes longer, and y stays. What must dx ⊙ x sum to, but for ε?",
                "Two sums over a row come first: Σ x², and Σ of ĝ ⊙ x. dgain is another kind of sum: over the rows, one for each column, begun with 0 before the first.",
                "dx is at right angles to x. So it is ĝ = g ⊙ gain minus its part along x, over r.",
                "dx = (ĝ − x · mean(ĝ ⊙ x) / r²) / r, and dgain is the sum over the rows of g ⊙ x / r."},
  };
}

}  // namespace

Functions rms_norm(void (*value)(In, In, double, Out), void (*gradient)(In, In, In, double, Out, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            value(p.in("x"), p.in("gain"), p.number("eps"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet dx("dx", p["x"].shape), dgain("dgain", p["gain"].shape);
            gradient(p.in("g"), p.in("x"), p.in("gain"), p.number("eps"), dx.out(), dgain.out());
            return Outputs{dx.array(), dgain.array()};
          }};
}

Exercise rms_norm_exercise() {
  return {
      .number = 10,
      .id = "rms-norm",
      .title = "RMSNorm, and its gradient by hand",
      .section = "ch04.md#norm-rms",
      .needs = {},
      .minutes = 40,
      .done = "r is made of the same x that it divides: that is the second term, and most wrong answers lack it.",
      .stages = {rms_value(), rms_gradient()},
      .choices = {{{"rms_norm", "rms_norm_gradient"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}},
  };
}

}  // namespace gradus::exercises::set
