#include "examples/exercises/set/sinusoids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/position/sinusoidal.h"

namespace gradus::exercises::set {
namespace in_sinusoids {
namespace {

enum Wrong { concatenated, as_tensor2tensor, exponent_doubled, precedence, exchanged_power, integer_division, exponent_of_column,
             exponent_halved, exponent_sign, pairs_less_one, positions_ignored, from_one, one_row, degrees, sines_alone,
             cosines_first, natural_base, base_hard_coded, position_missing, undivided };

// ω of pair i, which stands in the columns 2i and 2i + 1, or j of them.
double frequency(int i, int j, int d, double base, Made made) {
  const double pairs = d / 2.0;
  if (made[base_hard_coded]) base = 10000;
  if (made[precedence]) return std::exp(2 * i * std::floor(-std::log(base) / d / 2));
  if (made[exchanged_power]) return std::pow(i / pairs, 1 / base);
  if (made[integer_division]) return 1;
  double exponent = -i / pairs;
  if (made[pairs_less_one] || made[as_tensor2tensor]) exponent = -i / std::max(pairs - 1, 1.0);
  if (made[exponent_of_column]) exponent = -1.0 * j / d;
  if (made[exponent_doubled]) exponent *= 2;
  if (made[exponent_halved]) exponent /= 2;
  if (made[undivided]) exponent *= d;
  if (made[exponent_sign]) exponent = -exponent;
  return made[natural_base] ? std::exp(exponent) : std::pow(base, exponent);
}

// PE at one position, with what may be wrong.
void wave(double position, double base, double* y, int d, Made made) {
  for (int j = 0; j < d; ++j) {
    const bool halves = made[concatenated] || made[as_tensor2tensor];
    const int i = halves ? j % (d / 2) : j / 2;
    bool sine = halves ? j < d / 2 : j % 2 == 0;
    if (made[cosines_first]) sine = !sine;
    const double phi = position * frequency(i, halves ? 2 * i + (sine ? 0 : 1) : j, d, base, made) * (made[degrees] ? std::numbers::pi / 180 : 1);
    y[j] = sine || made[sines_alone] ? std::sin(phi) : std::cos(phi);
  }
}

Outputs waves_with(const Probe& p, Made made) {
  const In positions = p.in("positions");
  Sheet sheet("y", {positions.columns, p.whole("d")});
  const Out y = sheet.out();
  for (int t = 0; t < y.rows; ++t) {
    double position = made[positions_ignored] ? t : positions[0][t];
    if (made[one_row]) position = made[positions_ignored] ? y.rows - 1 : positions[0][y.rows - 1];
    if (made[position_missing]) position = 1;
    wave(position + (made[from_one] ? 1 : 0), p.number("base"), y[t], y.columns, made);
  }
  return {sheet.array()};
}

enum WrongAdded { added_concatenated, added_as_tensor2tensor, batch_axis, added_one_row, counted_through, added_from_one, unscaled, scaled_by_d, divided, both_scaled,
                  x_lost, waves_lost, subtracted, multiplied };

Outputs added_with(const Probe& p, Made made) {
  const In x = p.in("x");
  const int d = x.columns, length = x.rows / p.whole("texts");
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  for (int row = 0; row < x.rows; ++row) {
    int position = made[counted_through] ? row : made[batch_axis] ? row / length : row % length;
    if (made[added_one_row]) position = length;
    const Made layout = Made{}.set(concatenated, made[added_concatenated]).set(as_tensor2tensor, made[added_as_tensor2tensor]);
    wave(position + (made[added_from_one] ? 1 : 0), p.number("base"), y[row], d, layout);
    double scale = made[scaled_by_d] ? d : std::sqrt(d);
    if (made[divided]) scale = 1 / scale;
    for (int j = 0; j < d; ++j) {
      const double wide = made[x_lost] ? 0 : x[row][j] * (made[unscaled] ? 1 : scale);
      const double pe = made[waves_lost] ? 0 : y[row][j] * (made[both_scaled] ? scale : 1);
      y[row][j] = made[multiplied] ? wide * pe : made[subtracted] ? wide - pe : wide + pe;
    }
  }
  return {sheet.array()};
}

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

Stage waves_stage() {
  return {
      .function = "sinusoids",
      .right = right_waves,
      .with = waves_with,
      .mistakes =
          {
              {"pos/concatenated", "", "all sines, then all cosines", "", true},
              {"pos/as-tensor2tensor", "", "all sines, then all cosines, and the slowest wave is 1 / base, as in the authors' code", "tensorflow/tensor2tensor", true},
              {"pos/exponent-doubled", "Does your i count pairs, or columns?", "base^(−4i / d): i steps by 2 already, and is doubled again",
               "SamLynnEvans/Transformer#25, attention-is-all-you-need-pytorch#32"},
              {"pos/precedence", "What does your expression divide first, and is the quotient whole?", "exp(2i · ⌊−ln base / d / 2⌋): the exponent is rounded to a whole number", "LoFTR#41"},
              {"pos/base-and-exponent-swapped", "Is it the base that is raised, or the number of the pair?", "(2i / d)^(1 / base): base and exponent are exchanged", "WaveGrad#12"},
              {"pos/integer-division", "What is 2 / 4 in C++, and what do you get from it for each i?", "every wave has the frequency 1, as if the exponent were 0"},
              {"pos/exponent-of-column", "Do the sine and the cosine of one pair have the same frequency?", "base^(−j / d) for column j: a pair's cosine is slower than its sine"},
              {"pos/exponent-halved", "How many columns does a pair have?", "base^(−i / d): the 2 is missing"},
              {"pos/exponent-sign", "Is the last wave faster than the first, or slower?", "base^(+2i / d): later waves are faster"},
              {"pos/pairs-less-one", "What is the frequency of the second pair?", "base^(−i / (d/2 − 1)): divided by one pair too few"},
              {"pos/positions-ignored", "Where does row 0 stand?", "always the positions 0 … T−1"},
              {"pos/positions-from-one", "What is the sine at position 0?", "the positions are counted from 1"},
              {"pos/one-row", "Do two positions have different rows?", "every row is that of one position", "DiffPoseTalk#20"},
              {"pos/degrees", "In which unit does std::sin take its angle?", "the angle is turned from degrees to radians, but it is in radians"},
              {"pos/sines-alone", "What is the second number of a row at position 0?", "sines in all columns"},
              {"pos/cosines-first", "What is the first number of a row at position 0?", "cosines in the even columns, sines in the odd ones"},
              {"pos/natural-base", "Which number is raised to the power −2i / d?", "e^(−2i / d): the base does not matter"},
              {"pos/base-hard-coded", "What happens when somebody asks for another base?", "the base is 10000, whatever is asked for"},
              {"pos/position-missing", "Do two positions have different rows?", "every row is sin ω_i, cos ω_i, wherever it stands"},
              {"pos/exponent-undivided", "Which frequency has the last pair?", "base^(−2i): the exponent is not divided by d"},
          },
      .probes = probes(),
      .laws = {{"sin² + cos² = 1, so the squares of a row sum to d/2", half_of_d, "Has each angle its sine and its cosine?"},
               {"the product of two rows knows only how far apart their positions are", products_know_distance, "Is every angle proportional to the position?"}},
  };
}

Stage added_stage() {
  return {
      .function = "add_sinusoids",
      .right = right_added,
      .with = added_with,
      .mistakes =
          {
              {"pos/concatenated", "", "all sines, then all cosines", "", true},
              {"pos/as-tensor2tensor", "", "all sines, then all cosines, and the slowest wave is 1 / base, as in the authors' code", "tensorflow/tensor2tensor", true},
              {"pos/batch-axis", "Two tokens of one text: do they get different rows?", "the position is the number of the text, not that of the token", "GETNext#2, influenza_transformer#9"},
              {"pos/one-row", "Do two positions have different rows?", "every row is that of one position", "DiffPoseTalk#20"},
              {"pos/counted-through", "At which position does the second text begin?", "the positions run on from text to text"},
              {"pos/positions-from-one", "What is the sine at position 0?", "the positions are counted from 1"},
              {"pos/embedding-unscaled", "What stands before x in the formula?", "x + PE, without √d"},
              {"pos/embedding-times-d", "What stands before x in the formula?", "d · x + PE, not √d · x"},
              {"pos/embedding-divided", "Should x become larger, or smaller?", "x / √d + PE"},
              {"pos/waves-scaled-too", "What does √d multiply?", "√d · (x + PE): the waves are scaled as well"},
              {"pos/embedding-lost", "Where is x in your y?", "y = PE, without x"},
              {"pos/waves-lost", "Does y know where a row stands?", "y = √d · x, without PE"},
              {"pos/subtracted", "What is the cosine at position 0, and is y larger there, or smaller?", "the waves are subtracted"},
              {"pos/multiplied", "What is the sine at position 0, and what is left of x there?", "the waves multiply x"},
          },
      .probes = probes_of_added(),
      .laws = {{"rows at one place of their texts get the same waves", alike_in_all_texts, "Which position has the first row of the second text?"}},
  };
}

}  // namespace
}  // namespace in_sinusoids

Functions sinusoids(void (*waves)(In, double, Out), void (*added)(In, int, double, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", {columns_of(p["positions"]), p.whole("d")});
            waves(p.in("positions"), p.number("base"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            added(p.in("x"), p.whole("texts"), p.number("base"), y.out());
            return Outputs{y.array()};
          }};
}

Exercise sinusoids_exercise() {
  return {
      .number = 13,
      .id = "sinusoids",
      .title = "A row of waves for each position",
      .section = "ch05.md#pos-sinusoidal",
      .needs = {},
      .minutes = 20,
      .hints = {"Columns 2i and 2i + 1 are one wave, seen twice. What have they in common, and what not?",
                "The angle needs two things: the row's position and the number of the pair. Which column it goes to comes after that.",
                "For each pair the squares of sine and cosine sum to 1, at every position. The first pair turns by 1 radian a position.",
                "With d columns, pair i has the angle p / base^(2i / d), divided as real numbers. The position of a row in its text is the remainder by T."},
      .done = "The product of two rows knows only their distance: the waves were chosen for that, though what comes after mixes them.",
      .stages = {in_sinusoids::waves_stage(), in_sinusoids::added_stage()},
      .choices = {{{"sinusoids", "add_sinusoids"},
                   {{"", "writes sines and cosines in turn"},
                    {"pos/concatenated", "writes all sines, then all cosines"},
                    {"pos/as-tensor2tensor", "writes all sines, then all cosines, with the frequencies of tensor2tensor"}}}},
  };
}

}  // namespace gradus::exercises::set
