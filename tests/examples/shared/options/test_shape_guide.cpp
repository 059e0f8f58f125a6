#include "examples/shared/options/shape_guide.h"

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

using Texts = std::vector<std::string>;

TEST_CASE("model-shape: heads share the width") {
  CHECK(nn::head_dim(768, 12) == 64);
  CHECK_THROWS_WITH_AS(nn::head_dim(8, 3), "head_dim: 3 heads do not divide d_model 8", ValueError);
}

TEST_CASE("model-shape: width over depth outside 100 to 156 is told, and no error") {
  CHECK(aspect_ratio(1600, 12) == doctest::Approx(1600.0 / 12));
  CHECK(shape_warnings(1536, 12, 12) == Texts{});
  CHECK(shape_warnings(100, 1, 2) == Texts{"heads are 50 wide; multiples of 8 run faster"});
  CHECK(shape_warnings(128, 4, 4) == Texts{"d_model / layers is 32; 100 to 156 is usual: the model is narrow for its depth"});
  CHECK(shape_warnings(4096, 16, 32) == Texts{"d_model / layers is 256; 100 to 156 is usual: the model is wide for its depth"});
  CHECK(shape_warnings(1152, 10, 5, 256) == Texts{});
  CHECK(shape_warnings(128, 1, 16) == Texts{"heads are 8 wide; below 16 each sees little"});
}
