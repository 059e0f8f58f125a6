#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/sinusoids.h"
#include "nn/position/sinusoidal.h"

namespace gradus::exercises::set {
namespace in_sinusoids {
namespace {

Probe probe(const std::string& name, const std::vector<double>& at, int d, double base) {
  return {name, {array("positions", {1, static_cast<int>(at.size())}, at), number("d", d), number("base", base)}};
}

std::vector<Probe> probes() {
  return {probe("positions 2 and 1, rows of 4, base 100", {2, 1}, 4, 100), probe("positions 9, 0 and 40, rows of 6", {9, 0, 40}, 6, 10000),
          probe("five positions, rows of 8, base 500", {3, 4, 77, 12, 5}, 8, 500),
          probe("positions 2, 5, 8 and 11, rows of 10", {2, 5, 8, 11}, 10, 10000)};
}

std::vector<Probe> probes_of_added() {
  const auto one = [](const std::string& name, int texts, int length, int d, double base, std::uint64_t seed) {
    return Probe{name, {drawn("x", {texts * length, d}, seed, 1, 0.4), number("texts", texts), number("base", base)}};
  };
  return {one("two texts of two tokens, rows of 4", 2, 2, 4, 100, 251), one("two texts of five tokens, rows of 6", 2, 5, 6, 10000, 252),
          one("three texts of four tokens, rows of 8", 3, 4, 8, 10000, 253)};
}

Outputs right_waves(const Probe& p) {
  const Tensor positions = flatten(tensor_of(p["positions"]));
  return {array_of("y", nn::formula::sinusoidal(positions, p.whole("d"), nn::SineLayout::interleaved, p.number("base")))};
}

Outputs right_added(const Probe& p) {
  const Tensor x = tensor_of(p["x"]);
  const int64_t texts = p.whole("texts"), length = x.size(0) / texts, d = x.size(1);
  const Tensor pe = nn::formula::sinusoidal(arange(length), d, nn::SineLayout::interleaved, p.number("base"));
  return {array_of("y", reshape(reshape(x, {texts, length, d}) * std::sqrt(static_cast<double>(d)) + pe, x.shape()))};
}

double product(const std::vector<double>& y, int a, int b, int d) {
  double sum = 0;
  for (int j = 0; j < d; ++j) sum += y[static_cast<std::size_t>(a * d + j)] * y[static_cast<std::size_t>(b * d + j)];
  return sum;
}

std::string half_of_d(const Probe& p, const Outputs& outputs) {
  const int d = p.whole("d");
  for (int t = 0; t < columns_of(p["positions"]); ++t) {
    const double sum = product(outputs[0].numbers, t, t, d);
    if (!(std::abs(sum - d / 2.0) <= 1e-6)) return fmt::format("those of row {} sum to {:.4g}, not to {}", t, sum, d / 2);
  }
  return "";
}

// For rows whose positions are 2, 5, 8 and 11.
std::string products_know_distance(const Probe& p, const Outputs& outputs) {
  if (p["positions"].numbers != std::vector<double>{2, 5, 8, 11}) return "";
  const int d = p.whole("d");
  const double first = product(outputs[0].numbers, 0, 1, d), last = product(outputs[0].numbers, 2, 3, d);
  if (std::abs(first - last) <= 1e-6) return "";
  return fmt::format("positions 2 and 5 have the product {}, 8 and 11, as far apart, {}", beside(first, last), beside(last, first));
}

// Rows at one place of two texts get the same waves, so what is between them is x, as much as it was multiplied by.
std::string x_is_scaled(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  const int length = x.rows / p.whole("texts");
  const double scale = (y[length][0] - y[0][0]) / (x[length][0] - x[0][0]), expected = std::sqrt(x.columns);
  for (int row = length; row < x.rows; ++row) {
    for (int j = 0; j < x.columns; ++j) {
      const double between = x[row][j] - x[row - length][j];
      if (!(std::abs(y[row][j] - y[row - length][j] - scale * between) <= 1e-6)) return "";  // then it is not the scale
    }
  }
  return std::abs(scale - expected) <= 1e-6 ? ""
                                            : fmt::format("rows at one place of two texts are {} times as far apart as in x, not {}",
                                                          beside(scale, expected), beside(expected, scale));
}

std::string alike_in_all_texts(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x");
  const int length = x.rows / p.whole("texts"), d = x.columns;
  for (int row = length; row < x.rows; ++row) {
    for (int j = 0; j < d; ++j) {
      const auto added = [&](int at) { return outputs[0].numbers[static_cast<std::size_t>(at * d + j)] - std::sqrt(d) * x[at][j]; };
      if (!(std::abs(added(row) - added(row - length)) <= 1e-6)) {
        return fmt::format("rows {} and {} are at one place of their texts, and differ in column {}", row - length, row, j);
      }
    }
  }
  return "";
}

}  // namespace
}  // namespace in_sinusoids

Functions sinusoids(void (*waves)(In, double, Out), void (*added)(In, int, double, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", {columns_of(p["positions"]), p.whole("d")});
            waves(p.in("positions"), p.number("base"), y.out());
            return Outputs{y.array()};
          },
          by_names(added, {"x", "texts", "base", "y = x"})};
}

Exercise sinusoids_exercise() {
  using namespace in_sinusoids;
  Exercise exercise = made_sinusoids::exercise(
      {
          {
              .right = right_waves,
              .probes = probes(),
              .laws = {{"sin² + cos² = 1, so the squares of a row sum to d/2", half_of_d, "Has each angle its sine and its cosine?"},
                       {"the product of two rows knows only how far apart their positions are", products_know_distance,
                        "Is every angle proportional to the position?"}},
          },
          {
              .right = right_added,
              .probes = probes_of_added(),
              .laws = {{"x is multiplied by √d", x_is_scaled, "What stands before x, and which of the sizes is it made of?"},
                       {"rows at one place of their texts get the same waves", alike_in_all_texts,
                        "Which position has the first row of the second text?"}},
          },
      },
      {{{"sinusoids", "add_sinusoids"},
        {{"", "writes sines and cosines in turn"},
         {"pos/concatenated", "writes all sines, then all cosines"},
         {"pos/as-tensor2tensor", "writes all sines, then all cosines, with the frequencies of tensor2tensor"}}}});
  // add_sinusoids calls sinusoids: it has the mistakes of the waves, but for the three of positions that are given, and its own.
  const std::vector<Mistake>& of_waves = exercise.stages[0].mistakes;
  Stage& added = exercise.stages[1];
  added.mistakes.insert(added.mistakes.begin(), of_waves.begin(), of_waves.begin() + 20);
  added.with = with_mistakes({&made_sinusoids::sinusoids_made, &made_sinusoids::add_sinusoids_made},
                             sinusoids(made_sinusoids::sinusoids, made_sinusoids::add_sinusoids)[1]);
  return exercise;
}

}  // namespace gradus::exercises::set
