#include "examples/ch08_placement/collapse.h"

#include "core/core.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using doctest::Approx;

TEST_CASE("block-gradients: rows that are one are alike by 1, rows at right angles by 1 over their number, whatever their size") {
  CHECK(alike(tensor({{1, 2, -3}, {1, 2, -3}})) == Approx(1));
  CHECK(alike(tensor({{5, 0, 0}, {0, 5, 0}, {0, 0, 5}})) == Approx(1.0 / 3));
  CHECK(alike(tensor({{1, 0}, {-1, 0}})) == 0);
  CHECK(alike(tensor({{{1, 0}, {3, 0}}, {{1, 0}, {3, 0}}})) == Approx(4.0 / 5));  // (mean 2)² over the mean of 1 and 9
}
