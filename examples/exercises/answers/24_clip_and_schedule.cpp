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
//! title: Clipping, and the learning rate
//! minutes: 25
//! needs:
//! done: One norm for all, and a fall that begins where the warm-up ends; and whole numbers divided as whole numbers are the C++ of it.
#include <numbers>

#include "examples/exercises/rows.h"

double clip(In g, double most, Out clipped) {
  // blank: the norm, and g scaled where it is too long
  //! Which gradient is short enough, and what should become of it?
  //! One loop over all numbers finds the norm, a second one scales them.
  //! Clipping shortens and does not turn: one factor for all parameters, never above 1.
  //! ‖g‖ is the root of the sum of all squares, and the factor is most / ‖g‖ where ‖g‖ is larger than most. The norm from before is
  //!   returned.
  double squares = 0;
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) squares += g[i][j] * g[i][j];
    //~ 6 clip/sizes-summed: for (int j = 0; j < g.columns; ++j) squares += std::abs(g[i][j]);
    //? Which length is it: along the edges, or straight across?
    //= the sum of the sizes |g| in place of the norm
    //~ 8 clip/norms-summed:
    //| double own = 0;
    //| for (int j = 0; j < g.columns; ++j) own += g[i][j] * g[i][j];
    //| squares += std::sqrt(own);
    //? Two parameters with gradients 3 and 4: how long is (3, 4)?
    //= the norms of the parameters are added
    //@ DeepSpeed#8475, twinkle PR290
    //~ 9 clip/largest-value: for (int j = 0; j < g.columns; ++j) squares = std::max(squares, std::abs(g[i][j]));
    //? Does a second large number make your norm larger?
    //= the largest |g| in place of the norm
  }
  const double norm = std::sqrt(squares);
  //~ 4 clip/square-for-norm: const double norm = squares;
  //? g twice as long: how much larger is your norm?
  //= the sum of the squares without the root
  //~ also clip/sizes-summed: const double norm = squares;
  //~ 7 clip/mean-square: const double norm = std::sqrt(squares / (g.rows * g.columns));
  //? A model with more parameters and the same gradients: is its gradient longer?
  //= the mean of the squares in place of their sum
  //~ also clip/norms-summed: const double norm = squares;
  //~ also clip/largest-value: const double norm = squares;
  const double factor = norm > most ? most / norm : 1;
  //~ 3 clip/lengthens: const double factor = most / norm;
  //? What becomes of a gradient that is short enough?
  //= a short gradient is made as long as the bound
  //~ 5 clip/over-square: const double factor = std::min(1.0, most / (norm * norm));
  //? How long is g · most / ‖g‖²?
  //= divided by the square of the norm, though the norm returned is right
  //~ 11 (convention) clip/eps-added: const double factor = std::min(1.0, most / (norm + 1e-6));
  //= divided by ‖g‖ + 10⁻⁶
  //@ PyTorch
  //~ 12 clip/condition-reversed: const double factor = norm < most ? most / norm : 1;
  //? A gradient of length 0.5, and `most` is 1: what becomes of it?
  //= short gradients are lengthened, and long ones stay
  //~ 13 clip/factor-inverted: const double factor = norm > most ? norm / most : 1;
  //? A gradient of length 10, and `most` is 1: what is your factor?
  //= multiplied by ‖g‖ / most, which is above 1
  //~ 14 clip/short-is-zero: const double factor = norm > most ? most / norm : 0;
  //? What becomes of a gradient that is short enough?
  //= a gradient that is short enough becomes 0
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) clipped[i][j] = factor * g[i][j];
    //~ 1 clip/per-tensor:
    //| double own = 0;
    //| for (int j = 0; j < g.columns; ++j) own += g[i][j] * g[i][j];
    //| own = std::sqrt(own);
    //| for (int j = 0; j < g.columns; ++j) clipped[i][j] = own > most ? most / own * g[i][j] : g[i][j];
    //? How many norms are there?
    //~ 2 clip/by-value: for (int j = 0; j < g.columns; ++j) clipped[i][j] = std::clamp(g[i][j], -most, most);
    //? Does the clipped gradient point where g points?
    //= each number is cut to ±most
  }
  return norm;
  //~ 10 clip/norm-after: return norm * factor;
  //? Which norm would you want to see in a log: one that is never above `most`?
  //= the norm returned is that after clipping
  // end
}

double rate(int t, int warmup, int total, double high, double low) {
  // blank: the three cases
  //! What is the rate at t = warmup, seen from both sides? And at t = total?
  //! The three cases, from the top down. With warmup = 0, and with warmup = total, nothing may be divided by 0.
  //! The rate has no jump at warmup and none at total, and never leaves 0 … high.
  //! After the warm-up u is the share of the fall that is over, a double from 0 to 1, and the rate is low plus half of high − low, times 1
  //!   + cos πu.
  if (t < warmup) return high * t / warmup;
  //~ 13 schedule/warmup-of-whole-numbers: if (t < warmup) return high * std::floor(static_cast<double>(t) / warmup);
  //? What is 3 / 4 in C++?
  //= t / warmup is a division of whole numbers: 0 until the warm-up ends
  //~ 15 schedule/warmup-from-low: if (t < warmup) return low + (high - low) * t / warmup;
  //? What is the rate of step 0?
  //= the warm-up begins at low, not at 0
  //~ 16 schedule/zero-warmup: if (t <= warmup) return high * t / warmup;
  //? Which of the three cases has t = 0 if there is no warm-up?
  //= t = warmup is taken for the warm-up's: without one that is 0/0
  //~ 17 (convention) schedule/first-step-0: if (t < warmup) return high * (t + 1) / warmup;
  //= the warm-up is (t + 1) / warmup, so that the first step is not lost
  //@ torchtitan PR1261, tinygrad PR10981
  //~ 18 (convention) schedule/warmup-between: if (t < warmup) return high * (t + 1) / (warmup + 1);
  //= the warm-up is (t + 1) / (warmup + 1): neither a step of rate 0 nor two of the highest
  //~ 20 schedule/warmup-constant: if (t < warmup) return high / warmup;
  //? Is the rate of step 3 larger than that of step 2?
  //= the rate of the whole warm-up is high / warmup
  //~ 27 schedule/warmup-over-run: if (t < warmup) return high * t / total;
  //? What is the rate at the end of your warm-up?
  //= high · t / total in the warm-up, where t / warmup is meant
  if (t >= total) return low;
  //~ 3 schedule/zero-length:
  //? What is 0/0, and when does your u become that?
  //= with a warm-up as long as the run u is 0/0 at its end
  //@ DeepSpeed PR8142, torchtitan PR1010, xtuner PR1285
  //~ 4 schedule/rises-again:
  //? Where is a cosine after half a turn?
  //= after `total` the cosine goes on, up again
  //@ UniRL PR223
  //~ 5 schedule/ends-at-zero: if (t >= total) return 0;
  //? What is the rate after the last step of the fall?
  //= from `total` on the rate is 0, not low
  //~ 6 schedule/falls-to-zero: if (t >= total) return 0;
  //? Where does the fall end?
  //= the fall is from high to 0, low is not used
  const double u = static_cast<double>(t - warmup) / (total - warmup);
  //~ 1 schedule/decay-in-warmup: const double u = static_cast<double>(t) / total;
  //? What is u when the warm-up ends?
  //~ 2 schedule/fall-over-run: const double u = static_cast<double>(t - warmup) / total;
  //? How many steps does the fall take: all, or those after the warm-up?
  //= u = (t − warmup) / total, so the fall is cut off at the end
  //@ timm PR2312
  //~ also schedule/zero-length: const double u = std::min(static_cast<double>(t - warmup) / (total - warmup), 1.0);
  //~ 14 schedule/fall-of-whole-numbers: const double u = std::floor(static_cast<double>(t - warmup) / (total - warmup));
  //? What is 3 / 4 in C++?
  //= u is a division of whole numbers: the rate stays high, and drops at the end
  return low + 0.5 * (high - low) * (1 + std::cos(std::numbers::pi * u));
  //~ also schedule/falls-to-zero: return 0.5 * high * (1 + std::cos(std::numbers::pi * u));
  //~ 7 schedule/half-missing: return low + (high - low) * (1 + std::cos(std::numbers::pi * u));
  //? How large is 1 + cos 0?
  //= the ½ is missing: the fall begins at 2 high − low
  //~ 8 schedule/half-is-zero: return low + 1 / 2 * (high - low) * (1 + std::cos(std::numbers::pi * u));
  //? What is 1 / 2 in C++?
  //= 1 / 2 of whole numbers is 0, so the rate is low all the way
  //~ 9 schedule/whole-cosine: return low + 0.5 * (high - low) * (1 + std::cos(2 * std::numbers::pi * u));
  //? How much of a turn does the cosine make from high to low?
  //= a whole turn of the cosine: down to low at half of the time, and up again
  //~ 10 schedule/upside-down: return low + 0.5 * (high - low) * (1 - std::cos(std::numbers::pi * u));
  //? Is 1 + cos 0 the largest value, or the smallest?
  //= 1 − cos: from low up to high
  //~ 11 schedule/degrees: return low + 0.5 * (high - low) * (1 + std::cos(180 * u));
  //? In which unit does std::cos take an angle?
  //= the cosine gets degrees; it takes radians
  //~ 12 schedule/straight: return low + (high - low) * (1 - u);
  //? How steep is the fall where it begins?
  //= the fall is a straight line, not half a cosine
  //~ 19 schedule/pi-missing: return low + 0.5 * (high - low) * (1 + std::cos(u));
  //? What is cos 1, and what should the cosine be at the end of the fall?
  //= cos u, where cos(π u) is meant
  //~ 21 schedule/one-missing: return low + 0.5 * (high - low) * std::cos(std::numbers::pi * u);
  //? How low does ½ cos πu go?
  //= low + ½ (high − low) cos πu: the 1 is missing
  //~ 22 schedule/one-and-half-missing: return low + (high - low) * std::cos(std::numbers::pi * u);
  //? How low does cos πu go?
  //= low + (high − low) cos πu, which falls below low
  //~ 23 schedule/low-not-subtracted: return low + 0.5 * high * (1 + std::cos(std::numbers::pi * u));
  //? What is the rate where the fall begins, and is it high?
  //= low + ½ high (1 + cos πu): low is not subtracted from high
  //~ 24 schedule/low-added: return low + 0.5 * (high + low) * (1 + std::cos(std::numbers::pi * u));
  //? What is the rate where the fall begins, and is it high?
  //= low + ½ (high + low) (1 + cos πu)
  //~ 25 schedule/quarter-turn: return low + (high - low) * std::cos(std::numbers::pi * u / 2);
  //? How steep is the fall where it ends?
  //= low + (high − low) cos(πu / 2): a quarter of a turn, which ends steeply
  //~ 26 schedule/sine: return low + 0.5 * (high - low) * (1 + std::sin(std::numbers::pi * u));
  //? What are sin 0 and sin π, and what should the curve be there?
  //= sin πu, where cos πu is meant
  // end
}
