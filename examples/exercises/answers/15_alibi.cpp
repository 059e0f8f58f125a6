// Exercise 15, alibi: near keys count more, by a rule that nobody has to learn.               docs/ch06-scores.md#pos-alibi
//
//   m_h = 2^(−8h / H) for the heads h = 1 … H      e_ij = q_i · k_j / √d − m_h |p_i − p_j|
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include "examples/exercises/rows.h"

// m is [1, H]: m[0][0] is the first head's slope.
void alibi_slopes(Out m) {
  // blank: a slope for each head
  for (int h = 0; h < m.columns; ++h) m[0][h] = std::pow(2, -8.0 * (h + 1) / m.columns);
  // end
}

// products are the q_i · k_j of all heads below each other, [H · T, S]: row h · T + i is query i of head h. slopes is [1, H], d the
// width of a head; query i stands at queries[0][i], key j at keys[0][j]. e is like products.
void alibi_scores(In products, In slopes, In queries, In keys, int d, Out e) {
  // blank: scale, then subtract
  for (int h = 0; h < slopes.columns; ++h) {
    for (int i = 0; i < queries.columns; ++i) {
      const int row = h * queries.columns + i;
      for (int j = 0; j < keys.columns; ++j) {
        const double distance = std::abs(queries[0][i] - keys[0][j]);
        e[row][j] = products[row][j] / std::sqrt(d) - slopes[0][h] * distance;
      }
    }
  }
  // end
}
