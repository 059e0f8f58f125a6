// Exercise 15, alibi: near keys count more, by a rule that nobody has to learn.               docs/ch06-scores.md#pos-alibi
//
//   m_h = 2^(−8h / H) for the heads h = 1 … H      e_ij = q_i · k_j / √d − m_h |p_i − p_j|
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Slopes for the heads, and a bias for the scores
//! minutes: 20
//! needs:
//! done: Nothing is learned here, so nothing is missing at distances that were never trained.
#include "examples/exercises/rows.h"

// m is [1, H]: m[0][0] is the first head's slope.
void alibi_slopes(Out m) {
  // blank: a slope for each head
  //! With 8 heads, the slopes are ½, ¼, … Which one does the last head have? And the last one of 4 heads?
  //! The formula counts heads from 1, and your loop from 0. 8h / H need not be a whole number.
  //! The last slope is 1/256 for any number of heads, and from head to head the slopes have one ratio, 2 to the power −8/H.
  //! With h from 1, m_h = 2^(−8h/H), the exponent divided as real numbers. A power is std::pow: in C++ ^ is something else.
  for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (h + 1) / m.columns);
  //~ 1 (convention) alibi/slopes-of-code:
  //| int power = 1;
  //| while (2 * power <= m.columns) power *= 2;
  //| for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, h < power ? -8.0 * (h + 1) / power : -8.0 * (2 * (h - power) + 1) / (2 * power));
  //= if H is no power of two: the slopes of the power below it, then every second one of the power above
  //@ ofirpress/attention_with_linear_biases
  //~ 2 alibi/slope-exponent: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * h / m.columns);
  //? Which number has the first head, 0 or 1?
  //~ 3 alibi/integer-division: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8 * (h + 1) / m.columns);
  //? What is 8 / 3 in C++?
  //= the exponent is rounded to a whole number
  //~ 4 alibi/eight-missing: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -1.0 * (h + 1) / m.columns);
  //? Which slope has the last head?
  //= 2^(−h / H): the 8 is missing
  //~ 5 alibi/exponent-sign: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, 8.0 * (h + 1) / m.columns);
  //? Which slope is larger than 1?
  //= 2^(+8h / H)
  //~ 6 alibi/natural-base: for (int h = 0; h < m.columns; ++h) m[0][h] = std::exp(-8.0 * (h + 1) / m.columns);
  //? Which number is raised to the power −8h / H?
  //= e^(−8h / H), not 2^(−8h / H)
  //~ 7 alibi/one-head-less: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (h + 1) / std::max(m.columns - 1, 1));
  //? Which slope has the last head?
  //= divided by H − 1
  //~ 8 alibi/one-slope: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 / m.columns);
  //? Do two heads look equally far back?
  //= every head has the first one's slope
  //~ 9 alibi/last-first: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (m.columns - h) / m.columns);
  //? Which head has the steepest slope?
  //= the heads are counted from the last
  //~ 10 alibi/next-power:
  //| int power = 1;
  //| while (power < m.columns) power *= 2;
  //| for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (h + 1) / power);
  //? Which slope has the last of 3 heads?
  //= H is rounded up to a power of two
  //~ 11 alibi/even-steps: for (int h = 0; h < m.columns; ++h) m[0][h] = 1.0 * (m.columns - h) / m.columns;
  //? Is it a difference that the slopes have in common, or a ratio?
  //= the slopes are in even steps from 1 to 1 / H
  //~ 12 alibi/ratio-rounded: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8 / m.columns * (h + 1));
  //? What is 8 / 3 in C++?
  //= 8 / H is rounded to a whole number
  //~ 13 alibi/slopes-of-eight: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -(h + 1));
  //? Which slope has the last of 2 heads?
  //= 2^(−h), which is right for 8 heads alone
  //~ 14 alibi/xor-for-power: for (int h = 0; h < m.columns; ++h) m[0][h] = 2 ^ (-8 * (h + 1) / m.columns);
  //? What does 2 ^ 3 mean in C++?
  //= 2 ^ x, which in C++ is no power: ^ exchanges bits
  //~ 15 alibi/always-halved: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 / m.columns) / std::pow(2, h);
  //? Which ratio have the slopes of 2 heads, and of 16?
  //= each slope is half of the one before, however many heads there are
  //~ 16 alibi/one-head-more: for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (h + 1) / (m.columns + 1));
  //? Which slope has the last head?
  //= divided by H + 1
  // end
}

// products are the q_i · k_j of all heads below each other, [H · T, S]: row h · T + i is query i of head h. slopes is [1, H], d the
// width of a head; query i stands at queries[0][i], key j at keys[0][j]. e is like products.
void alibi_scores(In products, In slopes, In queries, In keys, int d, Out e) {
  // blank: scale, then subtract
  //! One key stands at the query's own position, another one 10 away. How much does each score lose?
  //! A row of products belongs to a query and to a head. The head gives the slope, the query and the column's key give the distance.
  //! A key at the query's own position has the score q · k / √d, and no key has more than that.
  //! Row h · T + i, with h from 0, is query i of the head with slope number h. Divide the product by √d, and subtract the slope times |p_i
  //!   − p_j|, which is not divided.
  for (int h = 0; h < slopes.columns; ++h) {
    for (int i = 0; i < queries.columns; ++i) {
      const int row = h * queries.columns + i;
      //~ 11 alibi/head-of-row: const int row = i * slopes.columns + h;
      //? To which head belongs row 1, if there are three queries?
      //= row i · H + h is taken for query i of head h
      for (int j = 0; j < keys.columns; ++j) {
        const double distance = std::abs(queries[0][i] - keys[0][j]);
        //~ 2 alibi/positions-ignored: const double distance = std::abs(i - j);
        //? Where does query 0 stand?
        //= the distance is i − j, of the rows and columns, not of the positions
        //~ 3 alibi/key-position-alone: const double distance = -keys[0][j];
        //? Is a key after the query nearer or farther than one before it?
        //= the bias is m · p_j: as good under a causal mask, but not without one
        //~ 4 alibi/not-absolute: const double distance = queries[0][i] - keys[0][j];
        //? Does a key after the query count more than one at its place?
        //= p_i − p_j, which is less than 0 for later keys
        //~ 5 alibi/later-not: const double distance = std::max(queries[0][i] - keys[0][j], 0.0);
        //? What becomes of a key that stands after the query?
        //= keys after the query have no bias
        //~ 14 alibi/distance-from-one: const double distance = std::abs(queries[0][i] - keys[0][j]) + 1;
        //? How far is a key at the query's own place?
        //= the distance is counted from 1
        e[row][j] = products[row][j] / std::sqrt(d) - slopes[0][h] * distance;
        //~ 1 alibi/sign: e[row][j] = products[row][j] / std::sqrt(d) + slopes[0][h] * distance;
        //? Does a far key count more, or less?
        //= m |p_i − p_j| is added
        //~ 6 alibi/bias-scaled: e[row][j] = (products[row][j] - slopes[0][h] * distance) / std::sqrt(d);
        //? What is divided by √d: the product, or all?
        //= the bias is divided by √d as well
        //~ 7 attn/no-scale: e[row][j] = products[row][j] - slopes[0][h] * distance;
        //? How large are the scores if d is four times as large?
        //~ 8 attn/scale-by-d: e[row][j] = products[row][j] / d - slopes[0][h] * distance;
        //? Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?
        //= divided by d, not by its root
        //~ 9 alibi/slope-missing: e[row][j] = products[row][j] / std::sqrt(d) - distance;
        //? Do two heads look equally far back?
        //= |p_i − p_j| without a slope
        //~ 10 alibi/first-slope: e[row][j] = products[row][j] / std::sqrt(d) - slopes[0][0] * distance;
        //? Do two heads look equally far back?
        //= every head has the first one's slope
        //~ 12 alibi/multiplied: e[row][j] = products[row][j] / std::sqrt(d) * -slopes[0][h] * distance;
        //? What becomes of the score of a key at the query's own place?
        //= the bias multiplies the score
        //~ 13 alibi/squared: e[row][j] = products[row][j] / std::sqrt(d) - slopes[0][h] * distance * distance;
        //? How does the bias grow from one key to the next?
        //= the distance is squared
        //~ 15 alibi/bias-missing: e[row][j] = products[row][j] / std::sqrt(d);
        //? Does a far key count less than a near one?
        //= nothing is subtracted
        //~ 16 alibi/slopes-made-again: e[row][j] = products[row][j] / std::sqrt(d) - std::pow(2, -8.0 * (h + 1) / slopes.columns) * distance;
        //? Where do the slopes come from?
        //= the slopes that are given are not used: they are made again from the number of heads
        //~ 17 attn/scale-by-length: e[row][j] = products[row][j] / std::sqrt(keys.columns) - slopes[0][h] * distance;
        //? Of how many products is a score the sum?
        //~ 18 attn/scale-by-length: e[row][j] = products[row][j] / std::sqrt(queries.columns) - slopes[0][h] * distance;
        //~ 19 attn/scale-by-model: e[row][j] = products[row][j] / std::sqrt(d * slopes.columns) - slopes[0][h] * distance;
        //? Of how many products is a head's score the sum?
        //~ 20 attn/divided-by-scale: e[row][j] = products[row][j] * std::sqrt(d) - slopes[0][h] * distance;
        //? Should a larger d make the scores larger?
      }
    }
  }
  // end
}
