#include "examples/shared/study/sinusoidal_heatmap.h"

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

TEST_CASE(
    "pos-heatmap, erratum-12: later dimensions vary slowly; the right half is all one colour only with all sines "
    "before all cosines") {
  const Tensor turns = sinusoidal_heatmap(nn::SineLayout::interleaved), halves = sinusoidal_heatmap(nn::SineLayout::concatenated);
  CHECK(turns.shape() == Shape{100, 512});
  CHECK(halves.shape() == Shape{100, 512});
  // From one position to the next, the mean change of each dimension of a kind falls from left to right.
  const Tensor sines = slice(turns, 1, 0, kToEnd, 2);
  const Tensor change = mean(abs(slice(sines, 0, 1) - slice(sines, 0, 0, 99)), 0);
  CHECK(change.at({0}) > 0.5);
  CHECK(change.at({255}) < 1e-3);
  for (int64_t i = 60; i < 256; ++i) CHECK(change.at({i}) < change.at({i - 1}));  // waves longer than some rows
  // The last quarter: of cosines all near 1; in turn, sines near 0 stand between them.
  CHECK(min(slice(halves, 1, 384)).item() > 0.4);
  CHECK(mean(slice(halves, 1, 384)).item() > 0.98);
  CHECK(mean(slice(turns, 1, 384)).item() < 0.6);
  for (int64_t i = 384; i < 512; i += 2) CHECK(mean(select(turns, 1, i)).item() < 0.5);
}
