// The matrix: its cells, what is refused, and what it says of each factor.
#include "examples/ch12_matrix/matrix.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

TrainOptions quick() {
  TrainOptions options = small_model(3);
  options.model.context = 8;
  return options;
}

const std::vector<Factor> two{{"norm", {"rms", "center-only"}}, {"placement", {"pre", "post", "deepnorm"}}};

}  // namespace

TEST_CASE("matrix: all combinations, the last factor fastest, the baseline first; what the library refuses has a reason") {
  const Matrix matrix(quick(), two);
  REQUIRE(matrix.cells.size() == 6);
  CHECK(matrix.cells[0].model.norm.of(0).name == "rms");
  CHECK(matrix.cells[0].model.placement.of(0).name == "pre");
  CHECK(matrix.cells[1].model.placement.of(0).name == "post");
  CHECK(matrix.cells[3].model.norm.of(0).name == "center-only");
  CHECK(matrix.live() == 5);
  CHECK(matrix.refused[5].find("'deepnorm'") != std::string::npos);
  CHECK(matrix.refused[2].empty());
  CHECK(matrix.names(0, 1, " ")[4] == "center-only post");
  CHECK(matrix.rows({0, 1, 2, 3, 4, 5}) == std::vector<std::vector<double>>{{0, 1, 2, 3, 4, 5}});
}

TEST_CASE("effects: a sum of two factors gives back each; a refused cell takes its partner out") {
  const Matrix matrix(quick(), two);
  const std::vector<Effect> effects = effects_of(matrix, {0, 1, 10, 100, 101, NAN});  // norm 100, placement 1 and 10
  REQUIRE(effects.size() == 3);
  CHECK(effects[0].variant == "center-only");
  CHECK(effects[0].differences == std::vector<double>{100, 100});
  CHECK(effects[1].variant == "post");
  CHECK(effects[1].differences == std::vector<double>{1, 1});
  CHECK(effects[2].family == "placement");
  CHECK(effects[2].differences == std::vector<double>{10});
}
