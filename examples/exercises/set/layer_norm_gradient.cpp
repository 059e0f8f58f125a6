#include "examples/exercises/set/layer_norm_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/norm/layer_norm.h"

namespace gradus::exercises::set {
namespace in_layer_norm_gradient {
namespace {

// --- the value -----------------------------------------------------------------------------------------------------

enum Wrong { unbiased_eps_outside, unbiased, eps_outside, eps_missing, eps_hard_coded, over_columns, whole_array, not_centred, about_zero,
             root_missing, gain_missing, gain_plus_one, bias_missing, bias_scaled, by_squares, squared_for_root, rms_instead, whole_division, sums_kept,
             variance_kept, mean_so_far, precedence, bias_in_bracket, l1, l1_below_root, squares_not_divided, mean_not_divided, exchanged,
             eps_as_floor, eps_squared };

struct Statistics {
  double mean, r;
};

// The mean of a row and the mean of what is squared, where both go on from row to row, or the mean is not yet complete.
Statistics of_row(In x, int i, Made made) {
  const Statistics before = i > 0 && (made[sums_kept] || made[variance_kept]) ? of_row(x, i - 1, made) : Statistics{0, 0};
  Statistics row = {made[sums_kept] ? before.mean : 0, before.r};
  for (int j = 0; j < x.columns && !made[mean_so_far]; ++j) row.mean += x[i][j] / x.columns;
  for (int j = 0; j < x.columns; ++j) {
    if (made[mean_so_far]) row.mean += x[i][j] / x.columns;
    row.r += (x[i][j] - row.mean) * (x[i][j] - row.mean) / x.columns;
  }
  return row;
}

// The numbers that x[i][j] is compared with.
Statistics statistics_with(In x, int i, int j, double eps, Made made) {
  std::vector<double> group;
  for (int a = 0; a < x.rows; ++a) {
    for (int b = 0; b < x.columns; ++b) {
      if (made[whole_array] || (made[over_columns] ? b == j : a == i)) group.push_back(x[a][b]);
    }
  }
  const double n = static_cast<double>(group.size());
  double mean = 0, squares = 0;
  for (double one : group) mean += one / n;
  if (made[rms_instead]) mean = 0;
  if (made[mean_not_divided]) mean *= n;
  const double about = made[about_zero] || made[by_squares] ? 0 : mean;
  for (double one : group) squares += made[l1] || made[l1_below_root] ? std::abs(one - about) : (one - about) * (one - about);
  if (made[by_squares]) squares -= n * mean * mean;
  if (made[whole_division]) squares = 0;
  if (made[squares_not_divided]) squares *= n;
  if (made[sums_kept] || made[variance_kept] || made[mean_so_far]) {
    mean = of_row(x, i, made).mean;
    squares = n * of_row(x, i, made).r;
  }
  const bool less_one = made[unbiased] || made[unbiased_eps_outside], outside = made[eps_outside] || made[unbiased_eps_outside];
  const double variance = squares / (less_one ? n - 1 : n);
  const double used = made[eps_missing] ? 0 : made[eps_hard_coded] ? 1e-6 : eps;
  double inside = variance + (outside ? 0 : made[eps_squared] ? used * used : used);
  if (made[eps_as_floor]) inside = std::max(variance, used);
  if (made[squared_for_root]) return {mean, inside * inside};
  return {made[not_centred] ? 0 : mean, (made[root_missing] || made[l1] ? inside : std::sqrt(inside)) + (outside ? used : 0)};
}

Outputs value_with(const Probe& p, Made made) {
  const In x = p.in("x"), gain = p.in("gain"), bias = p.in("bias");
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const auto [mean, r] = statistics_with(x, i, j, p.number("eps"), made);
      const double factor = made[gain_missing] ? 1 : gain[0][j] + (made[gain_plus_one] ? 1 : 0);
      const double shift = made[bias_missing] ? 0 : made[bias_scaled] ? factor * bias[0][j] : bias[0][j];
      y[i][j] = (x[i][j] - mean) / r * factor + shift;
      if (made[precedence]) y[i][j] = x[i][j] - mean / r * factor + shift;
      if (made[bias_in_bracket]) y[i][j] = (x[i][j] - mean) / r * (factor + shift);
      if (made[exchanged]) y[i][j] = (x[i][j] - mean) / r * shift + factor;
    }
  }
  return {sheet.array()};
}

Outputs value_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]);
  const Shape row = {x.size(1)};
  const Tensor gain = reshape(tensor_of(p["gain"]), row), bias = reshape(tensor_of(p["bias"]), row);
  return {array_of("y", nn::layer_norm(x, row, gain, bias, p.number("eps")))};
}

// --- the gradient --------------------------------------------------------------------------------------------------

enum WrongGradient { held_constant, mean_missing, projection_missing, sums, projection_sum, variance_unbiased, eps_beside, eps_left_out, r_squared,
                     r_once, r_missing, projection_sign, of_input, means_without_gain, without_gain, dgain_of_centred, dgain_of_input,
                     dbias_with_gain, of_one_row, dgain_of_one_row, averaged, gain_in_means_alone, mean_without_gain,
                     projection_without_gain, gain_last, dgain_with_gain, doubled, halved, kept_from_one, dbias_of_one_row,
                     means_kept, all_kept, along_y, mean_sign, dgain_of_scaled_input, gains_exchanged, g_by_squares, whole_variance };

struct Row {
  double mean = 0, variance = 0, r = 0, mean_g = 0, mean_gx = 0;
};

Row row_with(const Probe& p, int i, Made made) {
  const In g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  const int n = x.columns;
  const auto factor = [&](int j) { return gain[0][j] + (made[kept_from_one] ? 1 : 0); };
  const Row before = i > 0 && (made[means_kept] || made[all_kept]) ? row_with(p, i - 1, made) : Row();
  Row row = before;
  if (!made[all_kept]) row.mean = row.variance = 0;
  for (int j = 0; j < n; ++j) row.mean += x[i][j] / n;
  for (int j = 0; j < n; ++j) row.variance += (x[i][j] - row.mean) * (x[i][j] - row.mean) / (made[variance_unbiased] ? n - 1 : n);
  if (made[g_by_squares]) {
    row.variance = -row.mean * row.mean;
    for (int j = 0; j < n; ++j) row.variance += x[i][j] * x[i][j] / n;
  }
  if (made[whole_variance]) row.variance = 0;
  const double eps = made[eps_left_out] ? 0 : p.number("eps");
  row.r = made[eps_beside] ? std::sqrt(row.variance) + eps : std::sqrt(row.variance + eps);
  for (int j = 0; j < n; ++j) {
    const bool bare = made[means_without_gain] || made[without_gain] || made[gain_last];
    row.mean_g += g[i][j] * (bare || made[mean_without_gain] ? 1 : factor(j)) / (made[sums] ? 1 : n);
    row.mean_gx += g[i][j] * (bare || made[projection_without_gain] ? 1 : factor(j)) * (x[i][j] - row.mean) / row.r / (made[sums] || made[projection_sum] ? 1 : n);
  }
  if (made[mean_missing] || made[held_constant]) row.mean_g = 0;
  if (made[projection_missing] || made[held_constant]) row.mean_gx = 0;
  if (made[projection_sign]) row.mean_gx = -row.mean_gx;
  if (made[doubled]) row.mean_gx *= 2;
  if (made[halved]) row.mean_gx /= 2;
  if (made[r_squared]) row.mean_gx *= row.r;
  if (made[r_once]) row.mean_gx *= row.r * row.r;
  return row;
}

Outputs gradient_with(const Probe& p, Made made) {
  const In g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  Sheet dx_sheet("dx", p["x"].shape), dgain_sheet("dgain", p["gain"].shape), dbias_sheet("dbias", p["gain"].shape);
  const Out dx = dx_sheet.out(), dgain = dgain_sheet.out(), dbias = dbias_sheet.out();
  const auto factor = [&](int j) { return gain[0][j] + (made[kept_from_one] ? 1 : 0); };
  for (int j = 0; j < x.columns; ++j) dgain[0][j] = dbias[0][j] = 0;
  for (int i = 0; i < x.rows; ++i) {
    const Row row = row_with(p, i, made);
    for (int j = 0; j < x.columns; ++j) {
      const bool bare = made[without_gain] || made[gain_in_means_alone] || made[gain_last];
      const double arriving = g[i][j] * (bare ? 1 : factor(j)), normalized = (x[i][j] - row.mean) / row.r;
      dx[i][j] = (arriving - (made[mean_sign] ? -row.mean_g : row.mean_g) - (made[of_input] ? x[i][j] / row.r : normalized * (made[along_y] ? factor(j) : 1)) * row.mean_gx) / (made[r_missing] ? 1 : row.r) * (made[gain_last] ? factor(j) : 1);
      const double share_of_x = made[dgain_of_input] ? x[i][j] : made[dgain_of_scaled_input] ? x[i][j] / row.r : made[dgain_of_centred] ? x[i][j] - row.mean : normalized * (made[dgain_with_gain] ? factor(j) : 1);
      const double share = made[averaged] ? 1.0 / x.rows : 1;
      dgain[0][j] = (made[of_one_row] || made[dgain_of_one_row] ? 0 : dgain[0][j]) + share * g[i][j] * share_of_x;
      dbias[0][j] = (made[of_one_row] || made[dbias_of_one_row] ? 0 : dbias[0][j]) + share * g[i][j] * (made[dbias_with_gain] ? factor(j) : 1);
    }
  }
  if (made[gains_exchanged]) {
    for (int j = 0; j < x.columns; ++j) std::swap(dgain[0][j], dbias[0][j]);
  }
  return {dx_sheet.array(), dgain_sheet.array(), dbias_sheet.array()};
}

Outputs gradient_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), gain = tensor_of(p["gain"]).set_requires_grad();
  const Tensor bias = zeros(gain.shape(), DType::f64).set_requires_grad();
  const Shape row = {x.size(1)};
  const Tensor y = nn::layer_norm(x, row, reshape(gain, row), reshape(bias, row), p.number("eps"));
  const Tensors grads = grad({y}, {x, gain, bias}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dx", grads[0]), array_of("dgain", grads[1]), array_of("dbias", grads[2])};
}

// --- probes and laws -----------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  int rows, n;
  double eps, size, mean;
};
Probe probe(const Case& c, std::uint64_t seed, bool backward) {
  Probe p{c.name, {drawn("x", {c.rows, c.n}, seed, c.size, c.mean), drawn("gain", {1, c.n}, seed + 1, 0.5, 3)}};
  if (backward) p.inputs.insert(p.inputs.begin(), drawn("g", {c.rows, c.n}, seed + 2));
  else p.inputs.push_back(drawn("bias", {1, c.n}, seed + 3));
  p.inputs.push_back(number("eps", c.eps));
  return p;
}

std::vector<Probe> probes(bool backward) {
  std::vector<Probe> all = {probe({"a row of 3, ε = 0.25", 1, 3, 0.25, 1, 0.4}, 111, backward),
                            probe({"two rows of 5, ε = 10⁻⁵", 2, 5, 1e-5, 1, 0.4}, 112, backward),
                            probe({"four rows of 7, ε = 10⁻²", 4, 7, 1e-2, 2, 1}, 113, backward),
                            probe({"three rows of 6, of size 10⁻³, ε = 4·10⁻⁶", 3, 6, 4e-6, 1e-3, 0.4}, 114, backward)};
  all.push_back(probe({"two rows of 2, near 10⁸, ε = 1", 2, 2, 1, 1, 0}, 115, backward));
  for (Array& input : all.back().inputs) {  // whole numbers, and two in a row: a sum of them is the same in any order
    if (input.name == "x") input.numbers = {1e8 + 1, 1e8 - 1, 1e8 - 3, 1e8 + 3};
  }
  return all;
}

Row row_of(const Probe& p, int i) {
  const In x = p.in("x");
  Row row;
  for (int j = 0; j < x.columns; ++j) row.mean += x[i][j] / x.columns;
  for (int j = 0; j < x.columns; ++j) row.variance += (x[i][j] - row.mean) * (x[i][j] - row.mean) / x.columns;
  row.r = std::sqrt(row.variance + p.number("eps"));
  return row;
}

bool is_far_from_0(const Probe& p) { return p["x"].numbers[0] > 1e7; }

std::string is_centred_and_scaled(const Probe& p, const Outputs& outputs) {
  const In y{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()}, gain = p.in("gain"), bias = p.in("bias");
  for (int i = 0; i < y.rows; ++i) {
    double mean = 0, squares = 0;
    for (int j = 0; j < y.columns; ++j) mean += (y[i][j] - bias[0][j]) / gain[0][j] / y.columns;
    for (int j = 0; j < y.columns; ++j) squares += std::pow((y[i][j] - bias[0][j]) / gain[0][j] - mean, 2) / y.columns;
    const Row row = row_of(p, i);
    const double expected = row.variance / (row.r * row.r);
    if (std::abs(mean) > 1e-7) return fmt::format("the mean of row {} is {:.4g}, not 0", i, mean);
    if (std::abs(squares - expected) > 1e-7 * expected) return fmt::format("the variance of row {} is {}, not {}", i, beside(squares, expected), beside(expected, squares));
  }
  return "";
}

std::string moves_nothing_together(const Probe&, const Outputs& outputs) {
  const In dx{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()};
  for (int i = 0; i < dx.rows; ++i) {
    double sum = 0, size = 0;
    for (int j = 0; j < dx.columns; ++j) sum += dx[i][j], size += std::abs(dx[i][j]);
    if (std::abs(sum) > 1e-8 * size + 1e-12) return fmt::format("that of row {} is {:.4g}", i, sum);
  }
  return "";
}

std::string is_nearly_across(const Probe& p, const Outputs& outputs) {
  const In dx{rows_of(outputs[0]), columns_of(outputs[0]), outputs[0].numbers.data()}, g = p.in("g"), x = p.in("x"), gain = p.in("gain");
  for (int i = 0; i < dx.rows; ++i) {
    const Row row = row_of(p, i);
    double along = 0, dot = 0, size = 0;
    for (int j = 0; j < dx.columns; ++j) {
      const double normalized = (x[i][j] - row.mean) / row.r;
      along += dx[i][j] * normalized;
      size += std::abs(dx[i][j] * normalized);
      dot += g[i][j] * gain[0][j] * normalized;
    }
    const double expected = dot * p.number("eps") / (row.r * row.r * row.r);
    if (std::abs(along - expected) > 1e-8 * (size + std::abs(expected)) + 1e-12) {
      return fmt::format("that of row {} is {}, not {}", i, beside(along, expected), beside(expected, along));
    }
  }
  return "";
}

constexpr const char* kDigits = "Near 10⁸ x² is about 10¹⁶, and σ² about 1: how many of 16 digits are left in E[x²] − μ²?";

Stage value_stage() {
  return {
      .function = "layer_norm",
      .right = value_right,
      .with = value_with,
      .mistakes =
          {
              {unbiased_eps_outside, "norm/unbiased-std-eps-outside", "Which number divides the squares, and where does ε stand?"},
              {unbiased, "norm/variance-unbiased", "Which number divides the sum of squares?", "the variance divided by n − 1"},
              {eps_outside, "norm/eps-beside-deviation", "Where does ε stand: below the root, or beside it?", "divided by σ + ε, not by √(σ² + ε)"},
              {eps_missing, "norm/eps-missing", "What is y for a row whose numbers are all the same?"},
              {eps_hard_coded, "norm/eps-hard-coded", "What happens when somebody asks for another ε?"},
              {over_columns, "norm/sequence-axis", "Over which axis are the mean and the variance taken?"},
              {whole_array, "norm/all-axes", "Does your mean differ from row to row?"},
              {not_centred, "norm/not-centred", "What becomes of a row whose numbers are all larger by 100?", "the mean is used in the variance, and not subtracted from x"},
              {about_zero, "norm/squares-about-zero", "How far from what are the squares measured?", "the mean of x² in place of the variance"},
              {root_missing, "norm/divided-by-variance", "Twice as large an x: how does your y change?", "divided by σ² + ε, not by its root"},
              {gain_missing, "norm/gain-missing", "The gain doubled: what should y − bias do, and what does yours?"},
              {gain_plus_one, "norm/gain-plus-one", "", "", "", true},
              {bias_missing, "norm/bias-missing", "What is y where x̂ is 0?", "no bias"},
              {bias_scaled, "norm/bias-scaled", "Which comes first: times the gain, or plus the bias?", "the bias is added before the gain multiplies"},
              {by_squares, "norm/variance-by-squares", kDigits, "σ² as E[x²] − μ², of which no digit is left far from 0",
               "tt-metal#45968, burn#5607, pytorch#40302, mlx#2238, onnxruntime#21935"},
              {squared_for_root, "norm/squared-for-root", "All of x − μ twice as large: y stays. What does yours do?", "squared where the root is meant", "TPlinker#37"},
              {rms_instead, "norm/rms-for-layer-norm", "What is your μ of a row of fives? (And what is 1 / n of whole numbers?)", "μ is 0: this is RMSNorm"},
              {whole_division, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?"},
              {sums_kept, "norm/sum-kept", "What is left in your sums when the second row begins?"},
              {variance_kept, "norm/sum-kept", "What is left in the sum of squares when the second row begins?"},
              {mean_so_far, "norm/mean-so-far", "Is μ complete when you subtract it from the first number?", "the squares are of x minus the mean so far"},
              {precedence, "norm/precedence", "In x − μ / r, what is divided by r?", "x − μ / r: the brackets around x − μ are missing"},
              {bias_in_bracket, "norm/bias-in-bracket", "What does the bias multiply?", "x̂ (gain + bias)"},
              {l1, "norm/mean-deviation", "For the row 0, 0, 3: what is √(mean of (x − μ)²), and what do you divide by?", "the mean of |x − μ| in place of σ"},
              {l1_below_root, "norm/mean-deviation", "For the row 0, 0, 3: what is √(mean of (x − μ)²), and what do you divide by?"},
              {squares_not_divided, "norm/variance-not-divided", "For the row 1, −1, 1, −1: what is σ², and yours?", "σ² is the sum of the squares, not their mean"},
              {mean_not_divided, "norm/mean-not-divided", "What is μ of a row of fives, and yours?", "μ is the sum, not the mean"},
              {exchanged, "norm/gain-and-bias-exchanged", "What is y where x̂ is 0?", "the gain is added, and the bias multiplies"},
              {eps_as_floor, "norm/eps-as-floor", "σ² is 1 and ε is 1: what stands below the root?"},
              {eps_squared, "norm/eps-squared", "A row of fives: what stands below the root?"},
          },
      .probes = probes(false),
      .laws = {{"without gain and bias each row has the mean 0 and the variance σ² / (σ² + ε)",
                [](const Probe& p, const Outputs& outputs) { return is_far_from_0(p) ? "" : is_centred_and_scaled(p, outputs); },
                "Work out μ, σ² and √(σ² + ε) of the first row. Which of the three is not what you have?"},
               {"the same holds for a row that is far from 0", is_centred_and_scaled, kDigits}},
      .hints = {"Two things can be done to a whole row without changing y. Which?",
                "Three passes over a row: μ first, then σ² about it, then y.",
                "σ² is the mean of (x − μ)². Far from 0 the difference of two large means has no digit of it.",
                "y = (x − μ) / √(σ² + ε) ⊙ gain + bias."},
  };
}

Stage gradient_stage() {
  return {
      .function = "layer_norm_gradient",
      .right = gradient_right,
      .with = gradient_with,
      .mistakes =
          {
              {held_constant, "norm/statistics-held-constant", "μ and r are made of x, too. What comes back through them?", "dx = ĝ / r: nothing comes back through μ and r"},
              {mean_missing, "norm/gradient-mean-missing", "All x larger by 1: what does y do? What must the sum of dx be, then?", "mean(ĝ) is not subtracted: nothing comes back through μ"},
              {projection_missing, "norm/gradient-projection-missing", "All of x − μ twice as large: what does y do?", "the term with x̂ is missing: nothing comes back through r"},
              {sums, "norm/gradient-sums", "μ is a mean. Where is its 1/n in the gradient?", "both terms are with sums over the row, where means are meant"},
              {projection_sum, "norm/gradient-projection-sum", "σ² is a mean. Where is its 1/n in the gradient?", "the term with x̂ lacks 1/n"},
              {variance_unbiased, "norm/variance-unbiased", "Which number divides the sum of squares?"},
              {eps_beside, "norm/eps-beside-deviation", "Where does ε stand: below the root, or beside it?"},
              {eps_left_out, "norm/eps-missing", "By what is y divided, and is it what dx is divided by?"},
              {r_squared, "norm/gradient-over-r-squared", "With x − μ written out: how many r stand below the last term?", "the term with (x − μ) Σ ĝ (x − μ) is over r², not r³"},
              {r_once, "norm/gradient-over-r", "With x − μ written out: how many r stand below the last term?", "the term with (x − μ) Σ ĝ (x − μ) is over r, not r³"},
              {r_missing, "norm/gradient-r-missing", "x twice as large: y stays. What does dx do?", "dx is not divided by r"},
              {projection_sign, "norm/gradient-projection-sign", "A larger x_j makes r larger. Does y_j then grow, or shrink?", "the term with x̂ has the other sign"},
              {of_input, "norm/gradient-along-x", "All x larger by 100: does your dx change?", "the last term has x / r, where x̂ is meant"},
              {means_without_gain, "norm/means-without-gain", "What arrives at x̂: g, or g ⊙ gain?", "both means are of g, where ĝ = g ⊙ gain is meant"},
              {without_gain, "norm/gradient-gain-nowhere", "What arrives at x̂: g, or g ⊙ gain?", "dx is made of g, where ĝ = g ⊙ gain is meant"},
              {dgain_of_centred, "norm/dgain-of-centred", "What does the gain multiply: x − μ, or x̂?", "dgain = Σ g ⊙ (x − μ), not over r"},
              {dgain_of_input, "norm/dgain-of-input", "What does the gain multiply: x, or x̂?", "dgain = Σ g ⊙ x, where x̂ is meant"},
              {dbias_with_gain, "norm/dbias-with-gain", "Does the gain multiply the bias?", "dbias = Σ g ⊙ gain"},
              {of_one_row, "norm/gradients-of-one-row", "How many rows use one gain and one bias?", "dgain and dbias of the last row alone"},
              {dgain_of_one_row, "norm/dgain-of-one-row", "How many rows use one gain?"},
              {averaged, "op/mean-for-sum", "Do gradients of several uses add up, or average?", "gradients of several uses are averaged"},
              {gain_in_means_alone, "norm/gradient-gain-in-means-alone", "What arrives at x̂: g, or g ⊙ gain? In how many of your terms?", "the first term of dx is of g, where ĝ = g ⊙ gain is meant"},
              {mean_without_gain, "norm/gradient-mean-without-gain", "What arrives at x̂: g, or g ⊙ gain? In how many of your terms?", "the mean that is subtracted is of g, where ĝ = g ⊙ gain is meant"},
              {projection_without_gain, "norm/gradient-projection-without-gain", "What arrives at x̂: g, or g ⊙ gain? In how many of your terms?", "the mean with x̂ is of g, where ĝ = g ⊙ gain is meant"},
              {gain_last, "norm/gradient-gain-last", "Does the gain come before the norm, or after it? Which gradient arrives at x̂?"},
              {dgain_with_gain, "norm/dgain-with-gain", "What does the gain multiply: x̂, or y?"},
              {doubled, "norm/gradient-doubled", "The slope of (x − μ)² is 2 (x − μ), that of √s is 1 / (2 √s). What is left of the 2?"},
              {halved, "norm/gradient-halved", "The slope of (x − μ)² is 2 (x − μ), that of √s is 1 / (2 √s). What is left of the ½?"},
              {kept_from_one, "norm/gain-plus-one", "", "", "", true},
              {dbias_of_one_row, "norm/dbias-of-one-row", "How many rows use one bias?", "dbias of the last row alone"},
              {means_kept, "norm/sum-kept", "What is left in your two sums when the second row begins?"},
              {all_kept, "norm/sum-kept", "What is left in your sums when the second row begins?"},
              {along_y, "norm/gradient-along-y", "Which vector is taken away: x̂, or x̂ ⊙ gain?"},
              {mean_sign, "norm/gradient-mean-sign", "All x larger by 1: y stays. To what must a row of dx sum?", "mean(ĝ) is added, not subtracted"},
              {dgain_of_scaled_input, "norm/dgain-not-centred", "What does the gain multiply: x / r, or x̂?", "dgain = Σ g ⊙ x / r, where x̂ is meant"},
              {gains_exchanged, "norm/gain-and-bias-exchanged", "Which of the two gradients is made of x̂?"},
              {g_by_squares, "norm/variance-by-squares", kDigits},
              {whole_variance, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?"},
          },
      .probes = probes(true),
      .laws = {{"the sum of dx over a row is 0, as the same number added to all of x changes nothing", moves_nothing_together, "What comes back through μ? Is a mean subtracted that makes the sum 0?"},
               {"the sum of dx ⊙ x̂ over a row is what ε leaves of it, as but for ε a larger x − μ gives the same y", is_nearly_across, "What comes back through r? Which term takes the part along x̂ away?"}},
      .hints = {"All of x larger by 1, or all of x − μ twice as large: y stays. What do both say of dx?",
                "Two means over the row first, one for μ and one for r; then dx. dgain and dbias are sums over the rows, begun with 0 before the first.",
                "dx has no part along a row of ones and, but for ε, none along x̂: both are taken out of ĝ before the division by r.",
                "With ĝ = g ⊙ gain: dx = (ĝ − mean(ĝ) − x̂ ⊙ mean(ĝ ⊙ x̂)) / r. dgain is the sum over the rows of g ⊙ x̂, dbias that of g."},
  };
}

}  // namespace
}  // namespace in_layer_norm_gradient

Functions layer_norm_gradient(void (*value)(In, In, In, double, Out), void (*gradient)(In, In, In, double, Out, Out, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            value(p.in("x"), p.in("gain"), p.in("bias"), p.number("eps"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet dx("dx", p["x"].shape), dgain("dgain", p["gain"].shape), dbias("dbias", p["gain"].shape);
            gradient(p.in("g"), p.in("x"), p.in("gain"), p.number("eps"), dx.out(), dgain.out(), dbias.out());
            return Outputs{dx.array(), dgain.array(), dbias.array()};
          }};
}

Exercise layer_norm_gradient_exercise() {
  return {
      .number = 11,
      .id = "layer-norm-gradient",
      .title = "Layer norm, and its gradient by hand",
      .section = "ch04.md#norm-layer",
      .needs = {"rms-norm"},
      .minutes = 40,
      .done = "μ and r are made of the row that they normalise: one term for each, and the same two terms in batch, group and instance norm.",
      .stages = {in_layer_norm_gradient::value_stage(), in_layer_norm_gradient::gradient_stage()},
      .choices = {{{"layer_norm", "layer_norm_gradient"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}},
  };
}

}  // namespace gradus::exercises::set
