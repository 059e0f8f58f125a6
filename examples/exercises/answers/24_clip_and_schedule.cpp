// Exercise 24, clip-and-schedule: how long a step may be, and how fast.          docs/ch10-schedules.md#schedule-cosine
//
//   clip   g ← g · min(1, most / ‖g‖)      ‖g‖ = √(Σ g² over all parameters)             docs/ch10.md#optim-clip
//
//   rate   t < warmup            high · t / warmup
//          warmup ≤ t < total    low + ½ (high − low) (1 + cos π u)      u = (t − warmup) / (total − warmup)
//          total ≤ t             low
//
// g and clipped are [parameters, n]: each row is the gradient of one parameter. `clip` returns ‖g‖ from before. t counts from 0;
// 0 ≤ warmup ≤ total.
// See also docs/ch10-schedules.md#schedule-warmup.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
#include <numbers>

#include "examples/exercises/rows.h"

double clip(In g, double most, Out clipped) {
  // blank: the norm, and g scaled where it is too long
  double squares = 0;
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) squares += g[i][j] * g[i][j];
  }
  const double norm = std::sqrt(squares);
  const double factor = norm > most ? most / norm : 1;
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) clipped[i][j] = factor * g[i][j];
  }
  return norm;
  // end
}

double rate(int t, int warmup, int total, double high, double low) {
  // blank: the three cases
  if (t < warmup) return high * t / warmup;
  if (t >= total) return low;
  const double u = static_cast<double>(t - warmup) / (total - warmup);
  return low + 0.5 * (high - low) * (1 + std::cos(std::numbers::pi * u));
  // end
}
