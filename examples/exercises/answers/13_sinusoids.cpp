// Exercise 13, sinusoids: a row of waves for each position, and where it is added.            docs/ch05.md#pos-sinusoidal
//
//   PE(p, 2i) = sin(p ω_i)      PE(p, 2i + 1) = cos(p ω_i)      ω_i = base^(−2i / d)
//
// Row t of y [T, d] is PE at the position p = positions[0][t]; d is even.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: A row of waves for each position
//! minutes: 20
//! needs:
//! done: The product of two rows knows only their distance: the waves were chosen for that, though what comes after mixes them.
#include "examples/exercises/rows.h"

void sinusoids(In positions, double base, Out y) {
  // blank: y[t][j] for each position and each column
  //! Columns 2i and 2i + 1 are one wave, seen twice. What have they in common, and what not?
  //! The angle needs two things: the row's position and the number of the pair. Which column it goes to comes after that.
  //! For each pair the squares of sine and cosine sum to 1, at every position. The first pair turns by 1 radian a position.
  //! With d columns, pair i has the angle p / base^(2i / d), divided as real numbers.
  for (int t = 0; t < y.rows; ++t) {
    for (int i = 0; i < y.columns / 2; ++i) {
      const double phi = positions[0][t] * std::pow(base, -2.0 * i / y.columns);
      //~ 2 (convention) pos/as-tensor2tensor: const double phi = positions[0][t] * std::pow(base, -1.0 * i / std::max(y.columns / 2 - 1, 1));
      //= all sines, then all cosines, and the slowest wave is 1 / base, as in the authors' code
      //@ tensorflow/tensor2tensor
      //~ 3 pos/exponent-doubled: const double phi = positions[0][t] * std::pow(base, -4.0 * i / y.columns);
      //? Does your i count pairs, or columns?
      //= base^(−4i / d): i steps by 2 already, and is doubled again
      //@ SamLynnEvans/Transformer#25, attention-is-all-you-need-pytorch#32
      //~ 4 pos/precedence: const double phi = positions[0][t] * std::exp(2 * i * std::floor(-std::log(base) / y.columns / 2));
      //? What does your expression divide first, and is the quotient whole?
      //= exp(2i · ⌊−ln base / d / 2⌋): the exponent is rounded to a whole number
      //@ LoFTR#41
      //~ 5 pos/base-and-exponent-swapped: const double phi = positions[0][t] * std::pow(2.0 * i / y.columns, 1 / base);
      //? Is it the base that is raised, or the number of the pair?
      //= (2i / d)^(1 / base): base and exponent are exchanged
      //@ WaveGrad#12
      //~ 6 pos/integer-division: const double phi = positions[0][t] * std::pow(base, -2 * i / y.columns);
      //? What is 2 / 4 in C++, and what do you get from it for each i?
      //= every wave has the frequency 1, as if the exponent were 0
      //~ 8 pos/exponent-halved: const double phi = positions[0][t] * std::pow(base, -1.0 * i / y.columns);
      //? How many columns does a pair have?
      //= base^(−i / d): the 2 is missing
      //~ 9 pos/exponent-sign: const double phi = positions[0][t] * std::pow(base, 2.0 * i / y.columns);
      //? Is the last wave faster than the first, or slower?
      //= base^(+2i / d): later waves are faster
      //~ 10 pos/pairs-less-one: const double phi = positions[0][t] * std::pow(base, -1.0 * i / std::max(y.columns / 2 - 1, 1));
      //? What is the frequency of the second pair?
      //= base^(−i / (d/2 − 1)): divided by one pair too few
      //~ 11 pos/positions-from-one: const double phi = (positions[0][t] + 1) * std::pow(base, -2.0 * i / y.columns);
      //? What is the sine at position 0?
      //= the positions are counted from 1
      //~ 12 pos/degrees: const double phi = positions[0][t] * std::pow(base, -2.0 * i / y.columns) * M_PI / 180;
      //? In which unit does std::sin take its angle?
      //= the angle is turned from degrees to radians, but it is in radians
      //~ 15 pos/natural-base: const double phi = positions[0][t] * std::exp(-2.0 * i / y.columns);
      //? Which number is raised to the power −2i / d?
      //= e^(−2i / d): the base does not matter
      //~ 16 pos/base-hard-coded: const double phi = positions[0][t] * std::pow(10000, -2.0 * i / y.columns);
      //? What happens when somebody asks for another base?
      //= the base is 10000, whatever is asked for
      //~ 17 pos/exponent-undivided: const double phi = positions[0][t] * std::pow(base, -2.0 * i);
      //? Which frequency has the last pair?
      //= base^(−2i): the exponent is not divided by d
      //~ 18 pos/pair-from-one: const double phi = positions[0][t] * std::pow(base, -2.0 * (i + 1) / y.columns);
      //? The first pair turns by 1 radian a position. And yours?
      //= the pairs are counted from 1: the first wave is too slow
      //~ 19 pos/whole-turns: const double phi = 2 * M_PI * positions[0][t] * std::pow(base, -2.0 * i / y.columns);
      //? The first pair turns by 1 radian a position. And yours?
      //= 2π times the angle: positions are taken for whole turns
      //~ 20 pos/base-10-logarithm: const double phi = positions[0][t] * std::exp(-2.0 * i / y.columns * std::log10(base));
      //? e^(−2i / d · log₁₀ base): is that base^(−2i / d)?
      //= the logarithm of base 10 below an exponential of e
      //~ 21 pos/positions-ignored: const double phi = t * std::pow(base, -2.0 * i / y.columns);
      //? Where does row 0 stand?
      //= always the positions 0 … T−1
      //~ 22 pos/one-row: const double phi = positions[0][y.rows - 1] * std::pow(base, -2.0 * i / y.columns);
      //? Do two positions have different rows?
      //= every row is that of one position
      //@ DiffPoseTalk#20
      //~ 23 pos/position-missing: const double phi = std::pow(base, -2.0 * i / y.columns);
      //? Do two positions have different rows?
      //= every row is sin ω_i, cos ω_i, wherever it stands
      y[t][2 * i] = std::sin(phi);
      //~ 1 (convention) pos/concatenated: y[t][i] = std::sin(phi);
      //= all sines, then all cosines
      //~ also pos/as-tensor2tensor: y[t][i] = std::sin(phi);
      //~ 14 pos/cosines-first: y[t][2 * i] = std::cos(phi);
      //? What is the first number of a row at position 0?
      //= cosines in the even columns, sines in the odd ones
      y[t][2 * i + 1] = std::cos(phi);
      //~ also pos/concatenated: y[t][y.columns / 2 + i] = std::cos(phi);
      //~ also pos/as-tensor2tensor: y[t][y.columns / 2 + i] = std::cos(phi);
      //~ 7 pos/exponent-of-column: y[t][2 * i + 1] = std::cos(positions[0][t] * std::pow(base, -(2.0 * i + 1) / y.columns));
      //? Do the sine and the cosine of one pair have the same frequency?
      //= base^(−j / d) for column j: a pair's cosine is slower than its sine
      //~ 13 pos/sines-alone: y[t][2 * i + 1] = std::sin(phi);
      //? What is the second number of a row at position 0?
      //= sines in all columns
      //~ also pos/cosines-first: y[t][2 * i + 1] = std::sin(phi);
    }
  }
  // end
}

// What the first block of a model gets: y = √d · x + PE. x and y are [B · T, d], `texts` texts of T tokens one after the other; each
// text begins at position 0.
void add_sinusoids(In x, int texts, double base, Out y) {
  // blank: at which position does each row stand?
  //! Two texts of five tokens: at which position stands row 7?
  //! Your sinusoids can be called for one row at a time. d is the number of columns of x.
  //! Every text begins at position 0, and only x is scaled.
  //! Row r is at position r mod T, with T = rows / texts; y = √d · x + PE(r mod T).
  const int length = x.rows / texts;
  for (int row = 0; row < x.rows; ++row) {
    const double position = row % length;
    //~ 24 pos/batch-axis: const double position = row / length;
    //? Two tokens of one text: do they get different rows?
    //= the position is the number of the text, not that of the token
    //@ GETNext#2, influenza_transformer#9
    //~ 25 pos/one-row: const double position = length;
    //= every row is that of one position
    //@ DiffPoseTalk#20
    //~ 26 pos/counted-through: const double position = row;
    //? At which position does the second text begin?
    //= the positions run on from text to text
    //~ 39 pos/remainder-by-texts: const double position = row % texts;
    //? Two texts of five tokens: which position has row 7?
    //= the position is the row's remainder by the number of texts, not by their length
    //~ 40 pos/divided-by-texts: const double position = row / texts;
    //? Two texts of five tokens: which position has row 7?
    //= the position is the row divided by the number of texts
    sinusoids(In{1, 1, &position}, base, Out{1, x.columns, y[row]});
    for (int j = 0; j < x.columns; ++j) y[row][j] += std::sqrt(x.columns) * x[row][j];
    //~ 27 pos/embedding-unscaled: for (int j = 0; j < x.columns; ++j) y[row][j] += x[row][j];
    //? What stands before x in the formula?
    //= x + PE, without √d
    //~ 28 pos/embedding-times-d: for (int j = 0; j < x.columns; ++j) y[row][j] += x.columns * x[row][j];
    //? What stands before x in the formula?
    //= d · x + PE, not √d · x
    //~ 29 pos/embedding-divided: for (int j = 0; j < x.columns; ++j) y[row][j] += x[row][j] / std::sqrt(x.columns);
    //? Should x become larger, or smaller?
    //= x / √d + PE
    //~ 30 pos/waves-scaled-too: for (int j = 0; j < x.columns; ++j) y[row][j] = std::sqrt(x.columns) * (x[row][j] + y[row][j]);
    //? What does √d multiply?
    //= √d · (x + PE): the waves are scaled as well
    //~ 31 pos/embedding-lost:
    //? Where is x in your y?
    //= y = PE, without x
    //~ 32 pos/waves-lost: for (int j = 0; j < x.columns; ++j) y[row][j] = std::sqrt(x.columns) * x[row][j];
    //? Does y know where a row stands?
    //= y = √d · x, without PE
    //~ 33 pos/subtracted: for (int j = 0; j < x.columns; ++j) y[row][j] = std::sqrt(x.columns) * x[row][j] - y[row][j];
    //? What is the cosine at position 0, and is y larger there, or smaller?
    //= the waves are subtracted
    //~ 34 pos/multiplied: for (int j = 0; j < x.columns; ++j) y[row][j] *= std::sqrt(x.columns) * x[row][j];
    //? What is the sine at position 0, and what is left of x there?
    //= the waves multiply x
    //~ 35 pos/embedding-times-root-length: for (int j = 0; j < x.columns; ++j) y[row][j] += std::sqrt(length) * x[row][j];
    //? Which number's root stands before x: how long a row is, or how long a text?
    //= √T · x + PE, not √d · x
    //~ 36 pos/embedding-times-root-rows: for (int j = 0; j < x.columns; ++j) y[row][j] += std::sqrt(x.rows) * x[row][j];
    //? Which number's root stands before x: how long a row is, or how many there are?
    //= the root of the number of rows, not of d
    //~ 37 pos/waves-scaled: for (int j = 0; j < x.columns; ++j) y[row][j] = x[row][j] + std::sqrt(x.columns) * y[row][j];
    //? What does √d multiply?
    //= x + √d · PE
    //~ 38 pos/first-text-alone: for (int j = 0; j < x.columns; ++j) y[row][j] = (row < length ? y[row][j] : 0) + std::sqrt(x.columns) * x[row][j];
    //? Does the second text get waves?
    //= only the first text gets waves
  }
  // end
}
