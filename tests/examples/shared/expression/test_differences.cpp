// Central differences: slopes of what is known, element by element, and nothing on the tape.
#include "examples/shared/expression/differences.h"

#include "core/core.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

TEST_CASE("central differences of a sum of cubes are three squares, and are not recorded") {
  bool recorded = false;
  const auto cubes = [&](const Tensor& x) {
    recorded = recorded || grad_enabled();
    return sum(x * x * x).item();
  };
  const std::vector<double> slopes = central_differences(cubes, tensor({-1, 0, 2, 20}));
  const std::vector<double> wanted{3, 0, 12, 1200};
  REQUIRE(slopes.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(slopes[i] == doctest::Approx(wanted[i]).epsilon(1e-6));
  CHECK_FALSE(recorded);
}
