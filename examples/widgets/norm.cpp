// The norm lab: a matrix before and after a norm, how far one of its numbers reaches, and what the norm forgets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/core.h"
#include "examples/shared/mistakes/wrong_norms.h"
#include "examples/widgets/lab.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/dynamic_function.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::widgets {
namespace norm_lab {
namespace {

using examples::RowsNorm;

constexpr int64_t rows = 4, columns = 6;

// A published norm is one of tokens [B, T, C]: the rows are the tokens of one text.
Tensor of_one_text(const RowsNorm& norm, const Tensor& x, double eps) {
  return reshape(norm(reshape(x, {1, rows, columns}), eps), {rows, columns});
}

// One to choose: a right one, or a published mistake with what it was meant to be.
struct Norm {
  std::string name, words;
  Tensor (*right)(const Tensor& x, double eps) = nullptr;
  RowsNorm published = nullptr, meant = nullptr;

  Tensor operator()(const Tensor& x, double eps) const { return right != nullptr ? right(x, eps) : of_one_text(published, x, eps); }
};

Tensor tanh_instead(const Tensor& x, double) {
  const DType own = x.dtype();
  return nn::dynamic_tanh(x, full({}, 0.5, own), ones({columns}, own), zeros({columns}, own));
}

// The right ones, then the published mistakes that are in the norm itself.
std::vector<Norm> norms() {
  std::vector<Norm> all;
  const auto add = [&](const char* name, const char* words, Tensor (*norm)(const Tensor&, double)) { all.push_back({name, words, norm}); };
  add("layer", "layer norm", [](const Tensor& x, double eps) { return nn::layer_norm(x, {columns}, {}, {}, eps); });
  add("rms", "RMSNorm", [](const Tensor& x, double eps) { return nn::rms_norm(x, {}, eps); });
  add("batch", "batch norm, in training", [](const Tensor& x, double eps) { return nn::batch_norm(x, {}, {}, eps); });
  add("group", "group norm, groups of 3", [](const Tensor& x, double eps) { return nn::group_norm(x, 2, {}, {}, eps); });
  add("center-only", "centring alone", [](const Tensor& x, double) { return nn::center_only_norm(x); });
  add("scale-only", "scaling alone", [](const Tensor& x, double eps) { return nn::scale_only_norm(x, {}, eps); });
  add("layer-std", "layer norm by s + ε", [](const Tensor& x, double eps) { return nn::layer_norm_std(x, {}, {}, eps); });
  add("rms-l2", "each row by its length", [](const Tensor& x, double eps) { return nn::rms_norm_l2(x, {}, eps); });
  add("dyt", "dynamic tanh, α = 0.5", tanh_instead);
  for (const examples::WrongNorm& wrong : examples::wrong_norms()) {
    if (wrong.biased_running_variance || wrong.kept_by != nullptr) continue;
    all.push_back({wrong.id, wrong.line, nullptr, wrong.apply, wrong.right});
  }
  return all;
}

std::vector<std::string> names_of(const std::vector<Norm>& norms) {
  std::vector<std::string> names;
  for (const Norm& norm : norms) names.push_back(norm.name);
  return names;
}

std::vector<std::string> names_of_cells() {
  std::vector<std::string> names;
  for (int64_t i = 0; i < rows * columns; ++i) names.push_back(fmt::format("row {}, column {}", i / columns + 1, i % columns + 1));
  return names;
}

// ∂y/∂x, f64 [rows, columns, rows, columns], by a walk back from each number of y; for an f16 x with steps in f32.
Tensor jacobian(const Norm& norm, const Tensor& input, double eps) {
  const Tensor x = cast(input, input.dtype() == DType::f16 ? DType::f32 : input.dtype()).detach().set_requires_grad();
  const Tensor y = norm(x, eps);
  Tensors gradients;
  for (int64_t i = 0; i < rows * columns; ++i) {
    Tensor seed = zeros({rows, columns}, y.dtype());
    seed.set({i / columns, i % columns}, 1);
    gradients.push_back(cast(grad({y}, {x}, {.seeds = {seed}, .retain_graph = true})[0], DType::f64));
  }
  return reshape(cat(gradients, 0), {rows, columns, rows, columns});
}

// Does its ε make any difference, to a matrix whose rows and columns all vary?
bool has_eps(const Norm& norm) {
  const Tensor x = reshape(square(cast(arange(rows * columns), DType::f64)), {rows, columns});
  return any(norm(x, 0.1) != norm(x, 1)).item() != 0;
}

bool has_nan(const Tensor& x) { return any(isnan(x)).item() != 0; }

// The greatest of a tensor; NaN if one of its elements is.
double greatest(const Tensor& x) { return has_nan(x) ? std::nan("") : max(x).item(); }

double apart(const Tensor& a, const Tensor& b) { return greatest(abs(cast(a, DType::f64) - cast(b, DType::f64))); }

// Smaller differences are not seen in the picture.
double least_seen(DType dtype) { return dtype == DType::f16 ? 1e-2 : 1e-3; }

// Whether a law holds here, in words.
Seen law(const char* asks, bool holds, const std::string& answer) {
  return Seen().add("asks", asks).add("holds", holds).add("answer", answer);
}

// "no: y moves by 18", or that there is no number to compare.
std::string no(const char* what, double by) {
  if (!std::isfinite(by)) return "no: it is no number";
  return by < 100 ? fmt::format("no: {} {:.2g}", what, by) : fmt::format("no: {} {:.0f}", what, by);
}

struct Input {
  Tensor exact;  // f64
  DType dtype;
  double eps;
};

// Does y stay as it is when x changes? If not: because of the norm itself, of ε, or of rounding?
struct Forgets {
  bool still;
  std::string answer;
};
Forgets forgets(const Norm& norm, const Input& input, Tensor (*change)(const Tensor&)) {
  const auto moved = [&](DType dtype, double eps) {
    const Tensor x = cast(input.exact, dtype);
    return apart(norm(change(x), eps), norm(x, eps));
  };
  constexpr double rounding_of_f64 = 5e-6;
  const double by = moved(input.dtype, input.eps), exact = moved(DType::f64, input.eps), least = least_seen(input.dtype);
  if (moved(DType::f64, 0) > rounding_of_f64) return {false, no("y moves by", std::isfinite(by) ? exact : by)};
  if (by < least) return {true, "yes"};
  return {false, exact < least ? no("rounding moves y by", by) : no("ε moves y by", exact)};
}

Tensor ten_times(const Tensor& x) { return 10 * x; }
Tensor shifted(const Tensor& x) { return x + (5 + std::round(max(abs(x)).item())); }

// By how much the numbers of a row, at most, depend on one of another row.
double across_rows(const Tensor& jacobian) {
  const Tensor of_rows = max(abs(jacobian), {1, 3});
  return greatest(where(eye(rows, rows, DType::i64), 0.0, of_rows));
}

Tensor root_mean_square(const Tensor& x, int axis) { return sqrt(mean(square(x), axis)); }

// The mean over an axis; where it is 0 but for rounding, 0.
Tensor mean_seen(const Tensor& x, int axis) {
  const Tensor average = mean(x, axis);
  return where(abs(average) < 1e-5, 0.0, average);
}

Seen size_law(const Tensor& y, double least) {
  const Tensor size = root_mean_square(cast(y, DType::f64), 1);
  const char* asks = "every row of y has rms 1";
  if (apart(size, ones({rows}, DType::f64)) < least) return law(asks, true, "yes");
  if (has_nan(size)) return law(asks, false, no("", std::nan("")));
  const std::string from = fmt::format("{:.2g}", min(size).item()), to = fmt::format("{:.2g}", max(size).item());
  return law(asks, false, from == to ? fmt::format("no: {} in all", from) : fmt::format("no: from {} to {}", from, to));
}

// How far the framed cell reaches, in words; `map` has the derivatives of all of y by it.
std::string reach(const Tensor& map, int64_t row, int64_t column) {
  const Tensor reached = cast(abs(map) > 1e-6, DType::f64);
  const auto count = [](const Tensor& x) { return static_cast<int>(sum(x).item()); };
  const int all = count(reached), in_row = count(slice(reached, 0, row, row + 1)), in_column = count(slice(reached, 1, column, column + 1));
  if (has_nan(map)) return "The derivative by the framed cell is no number.";
  if (all == 0) return "The framed cell moves nothing.";
  if (all == 1) return "The framed cell moves one number of y.";
  if (all == in_row)
    return all == columns ? "The framed cell moves its whole row, and no other."
                          : fmt::format("The framed cell moves {} numbers, all in its row.", all);
  if (all == in_column)
    return all == rows ? "The framed cell moves its whole column: every row, and only there."
                       : fmt::format("The framed cell moves {} numbers, all in its column.", all);
  return fmt::format("The framed cell moves {} of the {} numbers of y, those of other rows too.", all, rows * columns);
}

std::string forgotten(bool scale, bool shift) {
  if (scale && shift) return "10x and x + c give the same y.";
  if (scale) return "10x gives the same y; x + c does not.";
  return shift ? "x + c gives the same y; 10x does not." : "Neither 10x nor x + c gives the same y.";
}

std::string said(const Norm& norm, const Tensor& y, const std::string& reached, const std::string& laws) {
  const std::string first = norm.meant ? fmt::format("A published mistake: {}. ", norm.words) : "";
  if (!has_nan(y)) return fmt::format("{}{} {}", first, reached, laws);
  return fmt::format("{}{} of the {} numbers of y are NaN.", first, sum(cast(isnan(y), DType::f64)).item(), rows * columns);
}

// The matrix before the norm, as its knobs have it.
Input input_of(Knobs& knobs) {
  const std::vector<double> first = {1,    -2,   3.5,  0,  2,    -1.5,  //
                                     4,    2,    3,    7,  5.5,  1,     //
                                     -3.5, -1,   -2.5, -6, -1.5, -4,    //
                                     0.5,  -0.5, 1,    2,  -1,   1.5};
  const Tensor numbers = knobs.numbers("x", "the matrix", from_vector(first, {rows, columns}), {-20, 20, 0.5});
  const double scale = knobs.number("scale", "scale, times all of it", 1, {-10, 10, 0.01});
  const double shift = knobs.number("shift", "shift, added to all of it", 0, {.least = -1000, .most = 1000, .step = 1, .two_digits = true});
  const std::string eps = knobs.choice("eps", "ε", "1e-5", {"0", "1e-12", "1e-5", "1e-3", "0.1"});
  const std::string dtype = knobs.choice("dtype", "numbers", "f32", {"f16", "f32", "f64"});
  return {numbers * scale + shift, dtype_from_name(dtype), std::strtod(eps.c_str(), nullptr)};
}

Seen look(Knobs& knobs) {
  const std::vector<Norm> all = norms();
  const std::vector<std::string> names = names_of(all), cells = names_of_cells();
  const auto index = [](const auto& list, const auto& one) { return std::find(list.begin(), list.end(), one) - list.begin(); };
  const Norm& chosen = all[static_cast<std::size_t>(index(names, knobs.choice("norm", "norm", "layer", names)))];
  const Input input = input_of(knobs);
  if (!chosen.meant && !has_eps(chosen)) knobs.set_idle({"eps"}, "not in this norm");
  const int64_t cell = index(cells, knobs.choice("cell", "framed cell", "row 2, column 3", cells));
  const int64_t row = cell / columns, column = cell % columns;

  const Tensor x = cast(input.exact, input.dtype), y = chosen(x, input.eps), wide = cast(y, DType::f64);
  const Tensor no_number = isnan(reshape(wide, {rows, columns, 1, 1}));
  const Tensor derivatives = where(no_number, std::nan(""), jacobian(chosen, x, input.eps));
  const Tensor map = reshape(slice(reshape(derivatives, {rows * columns, -1}), 1, cell, cell + 1), {rows, columns});
  const Forgets scale = forgets(chosen, input, ten_times);
  const Forgets shift = forgets(chosen, input, shifted);
  const double other_rows = across_rows(derivatives);
  std::vector<Seen> laws = {law("10x gives the same y", scale.still, scale.answer),
                            law("x + c gives the same y", shift.still, shift.answer),
                            law("no row depends on another", other_rows == 0, other_rows == 0 ? "yes" : no("dy/dx up to", other_rows)),
                            size_law(y, least_seen(input.dtype))};
  if (chosen.meant) {
    const double wrong = apart(y, of_one_text(chosen.meant, x, input.eps));
    const bool holds = wrong < least_seen(input.dtype);
    laws.push_back(law("y is what was meant", holds, holds ? "for these numbers, yes" : no("wrong by", wrong)));
  }
  return Seen()
      .add("norm", chosen.words)
      .add("published", static_cast<bool>(chosen.meant))
      .add("x", x)
      .add("y", y)
      .add("row", row)
      .add("column", column)
      .add("map", map)
      .add("row_mean", mean_seen(wide, 1))
      .add("row_rms", root_mean_square(wide, 1))
      .add("column_mean", mean_seen(wide, 0))
      .add("column_rms", root_mean_square(wide, 0))
      .add("laws", laws)
      .say(said(chosen, y, reach(map, row, column), forgotten(scale.still, shift.still)));
}

}  // namespace
}  // namespace norm_lab

Seen norm(Knobs& knobs) { return norm_lab::look(knobs); }

}  // namespace gradus::widgets
