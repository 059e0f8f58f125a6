#include "nn/attention/small_products.h"

#include "tests/support/products.h"

using namespace gradus::kernels;
using namespace gradus::test;

TEST_CASE("inside-small-product: α A B of whole blocks and of what is left, each way transposed, added to C or in its place, even of NaN") {
  const auto multiply = [](auto... of) { small_product(of...); };
  for (const ProductSizes& sizes :
       {ProductSizes{1, 1, 1}, {8, 32, 5}, {32, 16, 64}, {47, 61, 33}, {7, 8, 0}, {64, 65, 70}, {3, 33, 1025}}) {
    for (const int64_t gap_of_c : {int64_t{0}, kGap}) {
      check_product<float>(sizes, gap_of_c, multiply);
      check_product<double>(sizes, gap_of_c, multiply);
    }
  }
  const std::vector<float> none;
  std::vector<float> c(16, 1);
  small_product<float>(1, 16, 0, INFINITY, {none.data(), 0}, {none.data(), 16}, {c.data(), 16});  // as of heads of width 0
  CHECK(c == std::vector<float>(16, 0));
}
