// For the pictures of the sinusoidal table, as JSON: its columns in steps of colour, the scores of its rows with three kinds
// of projections, and how far apart rows of width 4 are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

// A letter for each position: a, b, c below zero, d at it, e, f, g above; the steps end at 0.1, 0.5 and 1.
std::string steps(const Tensor& column) {
  std::string letters;
  for (const double v : to_vector(column)) {
    const int size = std::abs(v) < 1e-12 ? 0 : std::abs(v) < 0.1 ? 1 : std::abs(v) < 0.5 ? 2 : 3;
    letters += static_cast<char>('d' + (v < 0 ? -size : size));
  }
  return letters;
}

// Every fourth of 256 waves, over 100 positions.
void table(std::string_view name, nn::SineLayout layout) {
  const Tensor all = nn::formula::sinusoidal(arange(100), 512, layout);
  std::vector<std::string> columns;
  for (int64_t j = 0; j < 512; ++j) {
    const int64_t wave = layout == nn::SineLayout::interleaved ? j / 2 : j % 256;
    if (wave % 4 == 0) columns.push_back(fmt::format("\"{}\"", steps(select(all, 1, j))));
  }
  fmt::print("\"{}\": [\n{}],\n", name, fmt::join(columns, ",\n"));
}

// The scores of one query with keys around it, relative to the greatest in absolute value.
void scores(std::string_view name, const Tensor& rows, const Tensor& m, std::string_view end) {
  const Tensor all = matmul(matmul(rows, m), rows, {.transpose_b = true});
  std::vector<std::string> queries;
  for (const int64_t query : {40, 60}) {
    const std::vector<double> around = to_vector(slice(all[query], 0, query - 20, query + 21));
    double greatest = 0;
    for (const double v : around) greatest = std::max(greatest, std::abs(v));
    std::vector<std::string> texts;
    for (const double v : around) texts.push_back(fmt::format("{:.3g}", v / greatest));
    queries.push_back(fmt::format("[{}]", fmt::join(texts, ", ")));
  }
  fmt::print("\"{}\": [{}]{}\n", name, fmt::join(queries, ",\n  "), end);
}

// ‖P_t − P_0‖ of the width 4, t = 0 … 63, over `count` columns from `first` on.
void apart(std::string_view name, int64_t first, int64_t count) {
  const Tensor rows = slice(nn::formula::sinusoidal(arange(64), 4), 1, first, first + count);
  std::vector<std::string> texts;
  for (const double v : to_vector(sqrt(sum(square(rows - rows[0]), {-1})))) texts.push_back(fmt::format("{:.4g}", v));
  fmt::print("\"{}\": [{}],\n", name, fmt::join(texts, ", "));
}

}  // namespace

int main() {
  fmt::print("{{\n");
  table("interleaved", nn::SineLayout::interleaved);
  table("concatenated", nn::SineLayout::concatenated);
  apart("fast", 0, 2);
  apart("slow", 2, 2);
  apart("both", 0, 4);
  constexpr int64_t width = 64;
  const Tensor rows = nn::formula::sinusoidal(arange(100), width);
  Generator random(1);
  const auto projection = [&] { return randn({16, width}, DType::f64, random) / std::sqrt(static_cast<double>(width)); };
  const Tensor w_q = projection(), w_k = projection();
  scores("none", rows, eye(width, -1, DType::f64), ",");
  scores("random", rows, matmul(w_q, w_k, {.transpose_a = true}), ",");
  scores("rotation", rows, nn::formula::sinusoidal_shift(width, 5), "}");
}
