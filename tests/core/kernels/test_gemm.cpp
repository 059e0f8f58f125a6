// gemm on raw memory, with what matmul never gives it: factors, rows that are further apart than they are long.
#include "core/kernels/gemm.h"

#include <doctest/doctest.h>

#include "core/kernels/bf16.h"
#include "tests/support/products.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;
using std::int64_t;

namespace {

const auto by_gemm = [](auto... of) { kernels::gemm(of...); };
const auto by_gemm_exact = [](auto... of) { kernels::gemm_exact(of...); };

void check_gemm(const ProductSizes& sizes) {
  for (const int64_t gap_of_c : {int64_t{0}, kGap}) {
    check_product<float>(sizes, gap_of_c, by_gemm);
    check_product<double>(sizes, gap_of_c, by_gemm);
    check_product<float>(sizes, gap_of_c, by_gemm_exact);
    check_product<double>(sizes, gap_of_c, by_gemm_exact);
    const Bf16Products products;
    check_product<float>(sizes, gap_of_c, by_gemm);
    check_product<float>(sizes, 1, true, gap_of_c, by_gemm);
  }
}

}  // namespace

TEST_CASE("gemm: α A B of rows that lie apart, each way transposed, added to C or in its place, even of NaN") {
  for (const ProductSizes& sizes : {ProductSizes{1, 1, 1}, {2, 3, 5}, {17, 33, 70}, {64, 40, 129}}) check_gemm(sizes);
}

TEST_CASE("gemm: of an inner axis of 0 C or zeros are left") {
  check_gemm({3, 5, 0});
  check_gemm({0, 4, 2});
  check_gemm({3, 0, 2});
}

TEST_CASE("inside-products: α A B where it is cut into tiles, and a long k is split, on 1 and 3 threads") {
  for (const int count : {1, 3}) {
    const Threads threads(count);
    check_gemm({130, 129, 4100});  // 4 tiles, k split in 2
    check_gemm({8200, 1, 130});    // 32 tiles in one column
    check_gemm({1, 7, 5000});      // one long row, and one long column: halved
    check_gemm({6, 1, 5000});
  }
}
