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

// What may be wrong in the waves of both functions; and in the first alone.
enum Wrong { concatenated, as_tensor2tensor, exponent_doubled, precedence, exchanged_power, integer_division, exponent_of_column, exponent_halved,
             exponent_sign, pairs_less_one, from_one, degrees, sines_alone, cosines_first, natural_base, base_hard_coded, undivided,
             pair_from_one, whole_turns, base_10_logarithm, kWaves, positions_ignored = kWaves, one_row, position_missing };

// ω of pair i, which stands in the columns 2i and 2i + 1, or j of them.
double frequency(int i, int j, int d, double base, Made made) {
  const double pairs = d / 2.0;
  if (made[base_hard_coded]) base = 10000;
  if (made[precedence]) return std::exp(2 * i * std::floor(-std::log(base) / d / 2));
  if (made[exchanged_power]) return std::pow(i / pairs, 1 / base);
  if (made[integer_division]) return 1;
  double exponent = -(made[pair_from_one] ? i + 1 : i) / pairs;
  if (made[pairs_less_one] || made[as_tensor2tensor]) exponent = -i / std::max(pairs - 1, 1.0);
  if (made[exponent_of_column]) exponent = -1.0 * j / d;
  if (made[exponent_doubled]) exponent *= 2;
  if (made[exponent_halved]) exponent /= 2;
  if (made[undivided]) exponent *= d;
  if (made[exponent_sign]) exponent = -exponent;
  return made[natural_base] ? std::exp(exponent) : made[base_10_logarithm] ? std::exp(exponent * std::log10(base)) : std::pow(base, exponent);
}

// PE at one position, with what may be wrong.
void wave(double position, double base, double* y, int d, Made made) {
  if (made[from_one]) position += 1;
  const double unit = made[degrees] ? std::numbers::pi / 180 : made[whole_turns] ? 2 * std::numbers::pi : 1;
  for (int j = 0; j < d; ++j) {
    const bool halves = made[concatenated] || made[as_tensor2tensor];
    const int i = halves ? j % (d / 2) : j / 2;
    bool sine = halves ? j < d / 2 : j % 2 == 0;
    if (made[cosines_first]) sine = !sine;
    const double phi = position * frequency(i, halves ? 2 * i + (sine ? 0 : 1) : j, d, base, made) * unit;
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
    wave(position, p.number("base"), y[t], y.columns, made);
  }
  return {sheet.array()};
}

enum WrongAdded { batch_axis = kWaves, added_one_row, counted_through, unscaled, scaled_by_d, divided, both_scaled, x_lost, waves_lost, subtracted,
                  multiplied, scaled_by_length, scaled_by_rows, waves_scaled, first_text_alone, remainder_by_texts, by_texts };

Outputs added_with(const Probe& p, Made made) {
  const In x = p.in("x");
  const int d = x.columns, length = x.rows / p.whole("texts");
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  for (int row = 0; row < x.rows; ++row) {
    int position = made[counted_through] ? row : made[batch_axis] ? row / length : row % length;
    if (made[added_one_row]) position = length;
    if (made[remainder_by_texts] || made[by_texts]) position = made[by_texts] ? row / p.whole("texts") : row % p.whole("texts");
    wave(position, p.number("base"), y[row], d, made);
    double scale = std::sqrt(made[scaled_by_length] ? length : made[scaled_by_rows] ? x.rows : made[scaled_by_d] ? d * d : d);
    if (made[divided]) scale = 1 / scale;
    const bool without_waves = made[waves_lost] || (made[first_text_alone] && row >= length);
    for (int j = 0; j < d; ++j) {
      const double wide = made[x_lost] ? 0 : x[row][j] * (made[unscaled] || made[waves_scaled] ? 1 : scale);
      const double pe = without_waves ? 0 : y[row][j] * (made[both_scaled] || made[waves_scaled] ? scale : 1);
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
  return std::abs(scale - expected) <= 1e-6 ? "" : fmt::format("rows at one place of two texts are {} times as far apart as in x, not {}", beside(scale, expected), beside(expected, scale));
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

// The mistakes of the waves, and these.
std::vector<Mistake> with_waves(const std::vector<Mistake>& others) {
  std::vector<Mistake> all = {
      {concatenated, "pos/concatenated", "", "all sines, then all cosines", "", true},
      {as_tensor2tensor, "pos/as-tensor2tensor", "", "all sines, then all cosines, and the slowest wave is 1 / base, as in the authors' code", "tensorflow/tensor2tensor", true},
      {exponent_doubled, "pos/exponent-doubled", "Does your i count pairs, or columns?", "base^(−4i / d): i steps by 2 already, and is doubled again",
       "SamLynnEvans/Transformer#25, attention-is-all-you-need-pytorch#32"},
      {precedence, "pos/precedence", "What does your expression divide first, and is the quotient whole?", "exp(2i · ⌊−ln base / d / 2⌋): the exponent is rounded to a whole number", "LoFTR#41"},
      {exchanged_power, "pos/base-and-exponent-swapped", "Is it the base that is raised, or the number of the pair?", "(2i / d)^(1 / base): base and exponent are exchanged", "WaveGrad#12"},
      {integer_division, "pos/integer-division", "What is 2 / 4 in C++, and what do you get from it for each i?", "every wave has the frequency 1, as if the exponent were 0"},
      {exponent_of_column, "pos/exponent-of-column", "Do the sine and the cosine of one pair have the same frequency?", "base^(−j / d) for column j: a pair's cosine is slower than its sine"},
      {exponent_halved, "pos/exponent-halved", "How many columns does a pair have?", "base^(−i / d): the 2 is missing"},
      {exponent_sign, "pos/exponent-sign", "Is the last wave faster than the first, or slower?", "base^(+2i / d): later waves are faster"},
      {pairs_less_one, "pos/pairs-less-one", "What is the frequency of the second pair?", "base^(−i / (d/2 − 1)): divided by one pair too few"},
      {from_one, "pos/positions-from-one", "What is the sine at position 0?", "the positions are counted from 1"},
      {degrees, "pos/degrees", "In which unit does std::sin take its angle?", "the angle is turned from degrees to radians, but it is in radians"},
      {sines_alone, "pos/sines-alone", "What is the second number of a row at position 0?", "sines in all columns"},
      {cosines_first, "pos/cosines-first", "What is the first number of a row at position 0?", "cosines in the even columns, sines in the odd ones"},
      {natural_base, "pos/natural-base", "Which number is raised to the power −2i / d?", "e^(−2i / d): the base does not matter"},
      {base_hard_coded, "pos/base-hard-coded", "What happens when somebody asks for another base?", "the base is 10000, whatever is asked for"},
      {undivided, "pos/exponent-undivided", "Which frequency has the last pair?", "base^(−2i): the exponent is not divided by d"},
      {pair_from_one, "pos/pair-from-one", "The first pair turns by 1 radian a position. And yours?", "the pairs are counted from 1: the first wave is too slow"},
      {whole_turns, "pos/whole-turns", "The first pair turns by 1 radian a position. And yours?", "2π times the angle: positions are taken for whole turns"},
      {base_10_logarithm, "pos/base-10-logarithm", "e^(−2i / d · log₁₀ base): is that base^(−2i / d)?", "the logarithm of base 10 below an exponential of e"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Stage waves_stage() {
  return {
      .function = "sinusoids",
      .right = right_waves,
      .with = waves_with,
      .mistakes = with_waves({
          {positions_ignored, "pos/positions-ignored", "Where does row 0 stand?", "always the positions 0 … T−1"},
          {one_row, "pos/one-row", "Do two positions have different rows?", "every row is that of one position", "DiffPoseTalk#20"},
          {position_missing, "pos/position-missing", "Do two positions have different rows?", "every row is sin ω_i, cos ω_i, wherever it stands"},
      }),
      .probes = probes(),
      .laws = {{"sin² + cos² = 1, so the squares of a row sum to d/2", half_of_d, "Has each angle its sine and its cosine?"},
               {"the product of two rows knows only how far apart their positions are", products_know_distance, "Is every angle proportional to the position?"}},
      .hints = {"Columns 2i and 2i + 1 are one wave, seen twice. What have they in common, and what not?",
                "The angle needs two things: the row's position and the number of the pair. Which column it goes to comes after that.",
                "For each pair the squares of sine and cosine sum to 1, at every position. The first pair turns by 1 radian a position.",
                "With d columns, pair i has the angle p / base^(2i / d), divided as real numbers."},
  };
}

Stage added_stage() {
  return {
      .function = "add_sinusoids",
      .right = right_added,
      .with = added_with,
      .mistakes = with_waves({
          {batch_axis, "pos/batch-axis", "Two tokens of one text: do they get different rows?", "the position is the number of the text, not that of the token", "GETNext#2, influenza_transformer#9"},
          {added_one_row, "pos/one-row", "Do two positions have different rows?", "every row is that of one position", "DiffPoseTalk#20"},
          {counted_through, "pos/counted-through", "At which position does the second text begin?", "the positions run on from text to text"},
          {unscaled, "pos/embedding-unscaled", "What stands before x in the formula?", "x + PE, without √d"},
          {scaled_by_d, "pos/embedding-times-d", "What stands before x in the formula?", "d · x + PE, not √d · x"},
          {divided, "pos/embedding-divided", "Should x become larger, or smaller?", "x / √d + PE"},
          {both_scaled, "pos/waves-scaled-too", "What does √d multiply?", "√d · (x + PE): the waves are scaled as well"},
          {x_lost, "pos/embedding-lost", "Where is x in your y?", "y = PE, without x"},
          {waves_lost, "pos/waves-lost", "Does y know where a row stands?", "y = √d · x, without PE"},
          {subtracted, "pos/subtracted", "What is the cosine at position 0, and is y larger there, or smaller?", "the waves are subtracted"},
          {multiplied, "pos/multiplied", "What is the sine at position 0, and what is left of x there?", "the waves multiply x"},
          {scaled_by_length, "pos/embedding-times-root-length", "Which number's root stands before x: how long a row is, or how long a text?", "√T · x + PE, not √d · x"},
          {scaled_by_rows, "pos/embedding-times-root-rows", "Which number's root stands before x: how long a row is, or how many there are?", "the root of the number of rows, not of d"},
          {waves_scaled, "pos/waves-scaled", "What does √d multiply?", "x + √d · PE"},
          {first_text_alone, "pos/first-text-alone", "Does the second text get waves?", "only the first text gets waves"},
          {remainder_by_texts, "pos/remainder-by-texts", "Two texts of five tokens: which position has row 7?", "the position is the row's remainder by the number of texts, not by their length"},
          {by_texts, "pos/divided-by-texts", "Two texts of five tokens: which position has row 7?", "the position is the row divided by the number of texts"},
      }),
      .probes = probes_of_added(),
      .laws = {{"x is multiplied by √d", x_is_scaled, "What stands before x, and which of the sizes is it made of?"},
               {"rows at one place of their texts get the same waves", alike_in_all_texts, "Which position has the first row of the second text?"}},
      .hints = {"Two texts of five tokens: at which position stands row 7?",
                "Your sinusoids can be called for one row at a time. d is the number of columns of x.",
                "Every text begins at position 0, and only x is scaled.",
                "Row r is at position r mod T, with T = rows / texts; y = √d · x + PE(r mod T)."},
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
      .done = "The product of two rows knows only their distance: the waves were chosen for that, though what comes after mixes them.",
      .stages = {in_sinusoids::waves_stage(), in_sinusoids::added_stage()},
      .choices = {{{"sinusoids", "add_sinusoids"},
                   {{"", "writes sines and cosines in turn"},
                    {"pos/concatenated", "writes all sines, then all cosines"},
                    {"pos/as-tensor2tensor", "writes all sines, then all cosines, with the frequencies of tensor2tensor"}}}},
  };
}

}  // namespace gradus::exercises::set
