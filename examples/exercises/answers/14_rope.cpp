// Exercise 14, rope: queries and keys, turned by angles that grow with their positions.       docs/ch06.md#pos-rope
//
//   a' = a cos φ − b sin φ      φ = p · ω_k      ω_k = theta^(−2k / width)
//   b' = a sin φ + b cos φ
//
// x is one head, [T, d], and row t stands at position p = positions[0][t]. The pairs (a, b) are the numbers 2k and 2k + 1 of
// a row, for k = 0 … width/2 − 1. What comes after the first `width` numbers does not turn.
// See also docs/ch06.md#pos-rope-partial, docs/ch06.md#pos-rope-half-permutation.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: RoPE, its way back, its heads, and a checkpoint of another layout
//! minutes: 40
//! needs: sinusoids
//! done: Two rotations, and their product knows only the distance: that holds as long as queries and keys turn alike, by their positions.
#include "examples/exercises/rows.h"

void rope(In x, In positions, int width, double theta, Out y) {
  // blank: turn each pair, and copy the rest
  //! A pair is the hand of a clock. By which angle does the hand of pair k turn from one position to the next?
  //! The angle needs the row's position and the number of the pair, nothing else. Keep both old numbers until both new ones are written.
  //! A rotation keeps lengths: the squares of a row sum to what they summed to before. A row at position 0 stays as it is.
  //! φ is p times theta to the power −2k / width, divided as real numbers. Then number 2k is a cos φ − b sin φ, and number 2k + 1 is a sin
  //!   φ + b cos φ.
  //~ 4 rope/partial-ignored: width = x.columns;
  //? What should become of a row's last numbers, if the width is less than d?
  //= all d numbers turn, whatever the width is
  //@ vllm PR43676
  for (int t = 0; t < x.rows; ++t) {
    for (int k = 0; k < width / 2; ++k) {
      const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width);
      //~ 2 rope/positions-ignored: const double phi = t * std::pow(theta, -2.0 * k / width);
      //? Where does row 0 stand?
      //~ 3 rope/one-indexed: const double phi = positions[0][t] * std::pow(theta, -2.0 * (k + 1) / width);
      //? By how many radians does the first pair turn from one position to the next?
      //~ 5 rope/width-of-head: const double phi = positions[0][t] * std::pow(theta, -2.0 * k / x.columns);
      //? If 4 numbers of 6 turn, which of the two stands in the exponent?
      //= the exponent is −2k / d, where only `width` of the d numbers turn
      //~ 6 rope/integer-division: const double phi = positions[0][t] * std::pow(theta, -2 * k / width);
      //? What is 2 / 4 in C++, and what do you get from it for each k?
      //= every pair turns by p · 1, as if the exponent were 0
      //~ 7 rope/exponent-doubled: const double phi = positions[0][t] * std::pow(theta, -4.0 * k / width);
      //? Does your k count pairs, or numbers?
      //= theta^(−4k / width): the 2 stands there twice
      //~ 8 rope/exponent-halved: const double phi = positions[0][t] * std::pow(theta, -1.0 * k / width);
      //? How many numbers are a pair?
      //= theta^(−k / width): the 2 is missing
      //~ 9 rope/exponent-sign: const double phi = positions[0][t] * std::pow(theta, 2.0 * k / width);
      //? Does the last pair turn faster than the first, or slower?
      //= theta^(+2k / width): later pairs turn faster
      //~ 10 rope/positions-from-one: const double phi = (positions[0][t] + 1) * std::pow(theta, -2.0 * k / width);
      //? What becomes of a row at position 0?
      //= the positions are counted from 1
      //~ 11 rope/first-position: const double phi = positions[0][0] * std::pow(theta, -2.0 * k / width);
      //? Where does row 1 stand?
      //= every row is turned by the position of the first
      //~ 12 rope/degrees: const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width) * M_PI / 180;
      //? In which unit does std::cos take its angle?
      //= the angle is turned from degrees to radians, but it is in radians
      //~ 17 rope/theta-hard-coded: const double phi = positions[0][t] * std::pow(10000, -2.0 * k / width);
      //? What happens when somebody asks for another theta?
      //= theta is 10000, whatever is asked for
      //~ 18 rope/position-missing: const double phi = std::pow(theta, -2.0 * k / width);
      //? Do two rows turn by different angles?
      //= every row turns by ω_k, wherever it stands
      //~ 19 rope/exponent-undivided: const double phi = positions[0][t] * std::pow(theta, -2.0 * k);
      //? Does the last pair turn at all?
      //= theta^(−2k): the exponent is not divided by the width
      //~ 20 rope/not-turned: const double phi = 0;
      //? Two rows that are alike, at different positions: are they still alike?
      //= nothing turns
      const double a = x[t][2 * k], b = x[t][2 * k + 1];
      //~ 1 (convention) rope/halves: const double a = x[t][k], b = x[t][k + width / 2];
      //= pair k is (k, k + width/2), as in the common checkpoints
      //~ 24 rope/halves-to-pairs: const double a = x[t][k], b = x[t][k + width / 2];
      //? Do you write a pair to where you read it?
      //= a pair is read in one layout and written in the other
      y[t][2 * k] = a * std::cos(phi) - b * std::sin(phi);
      //~ also rope/halves: y[t][k] = a * std::cos(phi) - b * std::sin(phi);
      //~ 13 rope/sines-both-plus: y[t][2 * k] = a * std::cos(phi) + b * std::sin(phi);
      //? Is a pair still as long as before?
      //= both sines are added, so this is no rotation
      //~ 21 rope/sine-cosine-exchanged: y[t][2 * k] = a * std::sin(phi) - b * std::cos(phi);
      //? What are cos 0 and sin 0, and what becomes of a row at position 0?
      //= sine and cosine are exchanged
      //~ 22 rope/turned-back: y[t][2 * k] = a * std::cos(phi) + b * std::sin(phi);
      //? At position 1, to which side does (1, 0) turn?
      //= the pairs turn the other way
      y[t][2 * k + 1] = a * std::sin(phi) + b * std::cos(phi);
      //~ also rope/halves: y[t][k + width / 2] = a * std::sin(phi) + b * std::cos(phi);
      //~ 14 rope/sines-both-minus: y[t][2 * k + 1] = -a * std::sin(phi) + b * std::cos(phi);
      //? Is a pair still as long as before?
      //= both sines are subtracted, so this is no rotation
      //~ 15 rope/overwritten: y[t][2 * k + 1] = y[t][2 * k] * std::sin(phi) + b * std::cos(phi);
      //? When you compute the second number of a pair, is the first still the one that was given?
      //= the second number of a pair is made of the new first one
      //~ also rope/sine-cosine-exchanged: y[t][2 * k + 1] = a * std::cos(phi) + b * std::sin(phi);
      //~ also rope/turned-back: y[t][2 * k + 1] = -a * std::sin(phi) + b * std::cos(phi);
    }
    //~ 23 rope/layout-mixed:
    //| for (int j = 0; j < width; ++j) {
    //|   const double phi = positions[0][t] * std::pow(theta, -2.0 * (j / 2) / width);
    //|   const double other = j < width / 2 ? -x[t][j + width / 2] : x[t][j - width / 2];
    //|   y[t][j] = x[t][j] * std::cos(phi) + other * std::sin(phi);
    //| }
    //? Which two numbers turn together, and do both turn by the same angle?
    for (int j = width; j < x.columns; ++j) y[t][j] = x[t][j];
    //~ 16 rope/rest-zero: for (int j = width; j < x.columns; ++j) y[t][j] = 0;
    //? What should become of a row's last numbers, if the width is less than d?
    //= what does not turn becomes 0
  }
  // end
}

// From g = dL/dy to dL/dx.
void rope_gradient(In g, In positions, int width, double theta, Out dx) {
  // blank: where does the gradient of a turned pair go?
  //! A hand was turned by φ. How do you turn it back to where it was?
  //! The loops are those of rope, and the pairs are now those of g. Only signs differ.
  //! The gradient of a rotation is the rotation back, so no row of dx is longer or shorter than that of g.
  //! da = da' cos φ + db' sin φ and db = db' cos φ − da' sin φ, where da' and db' are a pair of g. What did not turn is copied.
  //~ 4 rope/partial-ignored: width = g.columns;
  //= all d numbers turn, whatever the width is
  //@ vllm PR43676
  for (int t = 0; t < g.rows; ++t) {
    for (int k = 0; k < width / 2; ++k) {
      const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width);
      //~ 2 rope/positions-ignored: const double phi = t * std::pow(theta, -2.0 * k / width);
      //~ 3 rope/one-indexed: const double phi = positions[0][t] * std::pow(theta, -2.0 * (k + 1) / width);
      //~ 5 rope/width-of-head: const double phi = positions[0][t] * std::pow(theta, -2.0 * k / g.columns);
      //= the exponent is −2k / d, where only `width` of the d numbers turn
      //~ 6 rope/integer-division: const double phi = positions[0][t] * std::pow(theta, -2 * k / width);
      //= every pair turns by p · 1, as if the exponent were 0
      //~ 7 rope/exponent-doubled: const double phi = positions[0][t] * std::pow(theta, -4.0 * k / width);
      //= theta^(−4k / width): the 2 stands there twice
      //~ 8 rope/exponent-halved: const double phi = positions[0][t] * std::pow(theta, -1.0 * k / width);
      //= theta^(−k / width): the 2 is missing
      //~ 9 rope/exponent-sign: const double phi = positions[0][t] * std::pow(theta, 2.0 * k / width);
      //= theta^(+2k / width): later pairs turn faster
      //~ 10 rope/positions-from-one: const double phi = (positions[0][t] + 1) * std::pow(theta, -2.0 * k / width);
      //= the positions are counted from 1
      //~ 11 rope/first-position: const double phi = positions[0][0] * std::pow(theta, -2.0 * k / width);
      //= every row is turned by the position of the first
      //~ 12 rope/degrees: const double phi = positions[0][t] * std::pow(theta, -2.0 * k / width) * M_PI / 180;
      //= the angle is turned from degrees to radians, but it is in radians
      //~ 17 rope/theta-hard-coded: const double phi = positions[0][t] * std::pow(10000, -2.0 * k / width);
      //= theta is 10000, whatever is asked for
      //~ 18 rope/position-missing: const double phi = std::pow(theta, -2.0 * k / width);
      //= every row turns by ω_k, wherever it stands
      //~ 19 rope/exponent-undivided: const double phi = positions[0][t] * std::pow(theta, -2.0 * k);
      //= theta^(−2k): the exponent is not divided by the width
      //~ 20 rope/not-turned: const double phi = 0;
      //= nothing turns
      const double a = g[t][2 * k], b = g[t][2 * k + 1];
      //~ 1 (convention) rope/halves: const double a = g[t][k], b = g[t][k + width / 2];
      //= pair k is (k, k + width/2), as in the common checkpoints
      dx[t][2 * k] = a * std::cos(phi) + b * std::sin(phi);
      //~ also rope/halves: dx[t][k] = a * std::cos(phi) + b * std::sin(phi);
      //~ 14 rope/sines-both-minus: dx[t][2 * k] = a * std::cos(phi) - b * std::sin(phi);
      //= both sines are subtracted, so this is no rotation
      //~ 21 rope/gradient-turned-forward: dx[t][2 * k] = a * std::cos(phi) - b * std::sin(phi);
      //? Turned by φ on the way there: by how much on the way back?
      //= the gradient is turned by φ, as x was, not back
      //~ 22 rope/gradient-cosine-only: dx[t][2 * k] = a * std::cos(phi);
      //? a is in two outputs. Does its gradient have two terms?
      //= dx = g cos φ: the terms with the sine are missing
      dx[t][2 * k + 1] = b * std::cos(phi) - a * std::sin(phi);
      //~ also rope/halves: dx[t][k + width / 2] = b * std::cos(phi) - a * std::sin(phi);
      //~ 13 rope/sines-both-plus: dx[t][2 * k + 1] = b * std::cos(phi) + a * std::sin(phi);
      //= both sines are added, so this is no rotation
      //~ 15 rope/overwritten: dx[t][2 * k + 1] = b * std::cos(phi) - dx[t][2 * k] * std::sin(phi);
      //= the second number of a pair is made of the new first one
      //~ also rope/gradient-turned-forward: dx[t][2 * k + 1] = b * std::cos(phi) + a * std::sin(phi);
      //~ also rope/gradient-cosine-only: dx[t][2 * k + 1] = b * std::cos(phi);
    }
    for (int j = width; j < g.columns; ++j) dx[t][j] = g[t][j];
    //~ 16 rope/rest-zero: for (int j = width; j < g.columns; ++j) dx[t][j] = 0;
    //= what does not turn becomes 0
  }
  // end
}

// What attention gets in place of q, k and v [T, heads · d]. The columns of head h begin at h · d; all d numbers turn.
void rope_heads(In q, In k, In v, In positions, int heads, double theta, Out new_q, Out new_k, Out new_v) {
  // blank: each head by itself (a row of one head is In{1, d, q[t] + h * d})
  //! Which of q, k and v meet in a product, so that their turns can cancel?
  //! Each row of each head is one call of rope, at that row's position. The next row of the same head is q.columns numbers further, not d.
  //! All heads of a row turn by the same angles, no query and no key changes its length, and the values stay as they are.
  //! With d = q.columns / heads, the d numbers from column h · d on turn in q and in k, with d for the width. v is copied.
  const int d = q.columns / heads;
  //+ const auto of_halves = [&](In x, In place, Out y) {
  //+   for (int i = 0; i < d / 2; ++i) {
  //+     const double phi = place[0][0] * std::pow(theta, -2.0 * i / d), a = x[0][i], b = x[0][i + d / 2];
  //+     y[0][i] = a * std::cos(phi) - b * std::sin(phi);
  //+     y[0][i + d / 2] = a * std::sin(phi) + b * std::cos(phi);
  //+   }
  //+   for (int j = d / 2 * 2; j < d; ++j) y[0][j] = x[0][j];
  //+ };
  //+ const auto interleaved = [&](const double* x, In place, double* y) {
  //+   std::vector<double> from, to(d);
  //+   for (int c = 0; c < d; ++c) from.push_back(x[c * heads]);
  //+   rope(In{1, d, from.data()}, place, d, theta, Out{1, d, to.data()});
  //+   for (int c = 0; c < d; ++c) y[c * heads] = to[c];
  //+ };
  //+ std::vector<double> row, first(q.rows, positions[0][0]);
  //+ for (int t = 0; t < q.rows; ++t) row.push_back(t);
  //+
  //~ 8 rope/positions-ignored: positions = In{1, q.rows, row.data()};
  //~ 9 rope/first-position: positions = In{1, q.rows, first.data()};
  //= every row is turned by the position of the first
  //~ 15 attn/rows-too-near:
  //| for (int h = 0; h < heads; ++h) {
  //|   for (int t = 0; t < q.rows; ++t) {
  //|     rope(In{1, d, q[0] + (t + h) * d}, In{1, 1, positions[0] + t}, d, theta, Out{1, d, new_q[0] + (t + h) * d});
  //|     rope(In{1, d, k[0] + (t + h) * d}, In{1, 1, positions[0] + t}, d, theta, Out{1, d, new_k[0] + (t + h) * d});
  //|   }
  //| }
  //| std::copy(v[0], v[v.rows], new_v[0]);
  //| return;
  //? In memory, how far is it from a head's first row to its second?
  for (int t = 0; t < q.rows; ++t) {
    const In here{1, 1, positions.numbers + t};
    for (int h = 0; h < heads; ++h) {
      //+ const double head = h;
      rope(In{1, d, q[t] + h * d}, here, d, theta, Out{1, d, new_q[t] + h * d});
      //~ 1 (convention) rope/halves: of_halves(In{1, d, q[t] + h * d}, here, Out{1, d, new_q[t] + h * d});
      //= pair k is (k, k + width/2), as in the common checkpoints
      //~ 3 rope/head-axis: rope(In{1, d, q[t] + h * d}, In{1, 1, &head}, d, theta, Out{1, d, new_q[t] + h * d});
      //? Two rows at different positions: are they turned by different angles?
      //~ 6 rope/keys-only: std::copy_n(q[t] + h * d, d, new_q[t] + h * d);
      //? Only one of the two turns: what does their product know then?
      //= the keys turn, the queries do not
      //~ 11 rope/heads-interleaved: interleaved(q[t] + h, here, new_q[t] + h);
      //? Which columns has the first head?
      //= head h takes the columns h, h + heads, …
      //~ 13 rope/not-turned: std::copy_n(q[t] + h * d, d, new_q[t] + h * d);
      //= nothing turns
      //~ 14 attn/split-without-transpose: rope(In{1, d, q[0] + (h * q.rows + t) * d}, here, d, theta, Out{1, d, new_q[0] + (h * q.rows + t) * d});
      //? In memory, how far is it from a head's first row to its second?
      rope(In{1, d, k[t] + h * d}, here, d, theta, Out{1, d, new_k[t] + h * d});
      //~ also rope/halves: of_halves(In{1, d, k[t] + h * d}, here, Out{1, d, new_k[t] + h * d});
      //~ also rope/head-axis: rope(In{1, d, k[t] + h * d}, In{1, 1, &head}, d, theta, Out{1, d, new_k[t] + h * d});
      //~ 5 rope/queries-only: std::copy_n(k[t] + h * d, d, new_k[t] + h * d);
      //? Only one of the two turns: what does their product know then?
      //= the queries turn, the keys do not
      //~ 7 rope/keys-back: rope_gradient(In{1, d, k[t] + h * d}, here, d, theta, Out{1, d, new_k[t] + h * d});
      //? Is it the difference of the two positions that the product sees, or their sum?
      //= the keys turn the other way
      //~ also rope/heads-interleaved: interleaved(k[t] + h, here, new_k[t] + h);
      //~ also rope/not-turned: std::copy_n(k[t] + h * d, d, new_k[t] + h * d);
      //~ also attn/split-without-transpose: rope(In{1, d, k[0] + (h * k.rows + t) * d}, here, d, theta, Out{1, d, new_k[0] + (h * k.rows + t) * d});
    }
    //~ 4 rope/width-of-model:
    //| rope(In{1, q.columns, q[t]}, here, q.columns, theta, Out{1, q.columns, new_q[t]});
    //| rope(In{1, k.columns, k[t]}, here, k.columns, theta, Out{1, k.columns, new_k[t]});
    //? How fast does the first pair of the second head turn?
    //= the frequencies run on from head to head, with the width of the model
    //~ 10 rope/first-head-only:
    //| rope(In{1, q.columns, q[t]}, here, d, theta, Out{1, q.columns, new_q[t]});
    //| rope(In{1, k.columns, k[t]}, here, d, theta, Out{1, k.columns, new_k[t]});
    //? Which columns has the second head?
    //= only the first head is turned
    for (int j = 0; j < v.columns; ++j) new_v[t][j] = v[t][j];
    //~ 2 rope/values-too: for (int h = 0; h < heads; ++h) rope(In{1, d, v[t] + h * d}, here, d, theta, Out{1, d, new_v[t] + h * d});
    //? What would turn a value back?
    //~ 12 rope/values-lost: for (int j = 0; j < v.columns; ++j) new_v[t][j] = 0;
    //? What does attention get as values?
    //= the new values are 0
  }
  // end
}

// A checkpoint's W_q [heads · d, n] makes queries whose pair k is (k, k + d/2) of a head. Order its rows for pairs (2k, 2k + 1).
void pairs_from_halves(In w, int heads, Out y) {
  // blank: where does each row go?
  //! In the checkpoint, rows 0 and d/2 of a head make one pair. At which two rows do you want them?
  //! Whole rows move, within their head, and the order is the same in every head.
  //! All rows of w are in y, once. The first row of a head and its last one stay where they are.
  //! Rows 2k and 2k + 1 of a head in y are rows k and k + d/2 of that head in w.
  //~ 3 rope/permuted-across-heads: heads = 1;
  //? Does a head still have its own rows?
  //= all rows are permuted as if they were one head's
  const int d = w.rows / heads;
  //+ const auto column_from = [&](int j, int wide) {
  //+   const int i = j % wide, begin = j - i;
  //+   return i >= wide / 2 * 2 || begin + wide > w.columns ? j : begin + i / 2 + (i % 2) * (wide / 2);
  //+ };
  for (int row = 0; row < w.rows; ++row) {
    const int head = row / d, i = row % d;
    const int from = head * d + i / 2 + (i % 2) * (d / 2);
    //~ 1 rope/not-permuted: const int from = row;
    //? Which row makes the partner of row 0, and where do you want it?
    //= rows ordered for halves are used for pairs
    //@ AiDotNet PR2074, nanotron PR427, nurl PR584, TinyLlama#24, LLMs-from-scratch PR747
    //~ 2 rope/permuted-the-other-way: const int from = head * d + (i < d / 2 ? 2 * i : 2 * (i - d / 2) + 1);
    //? Is this the way from halves to pairs, or from pairs to halves?
    //= the permutation from pairs to halves, not from halves to pairs
    //~ 4 rope/first-half-twice: const int from = head * d + i / 2;
    //? Where do the rows of a head's second half go?
    //= the rows of a head's first half stand there twice
    for (int j = 0; j < w.columns; ++j) y[row][j] = w[from][j];
    //~ 5 rope/columns-permuted: for (int j = 0; j < w.columns; ++j) y[row][j] = w[row][column_from(j, w.columns / heads)];
    //? Which axis of W makes a query's numbers: the rows, or the columns?
    //= the columns are permuted, not the rows
    //~ 6 rope/columns-permuted: for (int j = 0; j < w.columns; ++j) y[row][j] = w[row][column_from(j, w.columns)];
  }
  // end
}
