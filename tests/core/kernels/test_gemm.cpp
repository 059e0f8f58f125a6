// gemm on raw memory, with what matmul never gives it: factors, rows that are further apart than they are long.
#include "core/kernels/gemm.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/kernels/bf16.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;
using std::int64_t;

namespace {

struct Sizes { int64_t m, n, k; };

// Whole numbers from -2 to 2: every sum of their products is exact, in any order, and bf16 has them all.
std::vector<double> whole_numbers(int64_t rows, int64_t columns, int64_t salt) {
  std::vector<double> x;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) x.push_back(static_cast<double>((i * 7 + j * 3 + i * j % 11 + salt) % 5 - 2));
  }
  return x;
}

constexpr int64_t kGap = 3;  // between the rows, filled with NaN

// A matrix [rows, columns] as gemm takes it.
template <typename T> struct Stored {
  Stored(const std::vector<double>& x, int64_t rows, int64_t columns, bool transposed, int64_t gap = kGap)
      : stride((transposed ? rows : columns) + gap), is_transposed(transposed) {
    values.assign(static_cast<std::size_t>((transposed ? columns : rows) * stride), T(NAN));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t place = transposed ? j * stride + i : i * stride + j;
        values[static_cast<std::size_t>(place)] = static_cast<T>(x[static_cast<std::size_t>(i * columns + j)]);
      }
    }
  }
  kernels::Matrix<T> matrix() const { return {values.data(), stride, is_transposed}; }
  int64_t stride;
  bool is_transposed;
  std::vector<T> values;
};

// α A B, by definition, or C + α A B if it is added to C.
std::vector<double> product(const Sizes& s, double alpha, const std::vector<double>& a, const std::vector<double>& b, bool added,
                            const std::vector<double>& c) {
  std::vector<double> y(static_cast<std::size_t>(s.m * s.n));
  for (int64_t i = 0; i < s.m; ++i) {
    double* row = y.data() + i * s.n;
    for (int64_t p = 0; p < s.k; ++p) {
      const double left = a[static_cast<std::size_t>(i * s.k + p)];
      for (int64_t j = 0; j < s.n; ++j) row[j] += left * b[static_cast<std::size_t>(p * s.n + j)];
    }
    for (int64_t j = 0; j < s.n; ++j) row[j] = alpha * row[j] + (added ? c[static_cast<std::size_t>(i * s.n + j)] : 0);
  }
  return y;
}

template <typename T> void check_gemm(const Sizes& s, T alpha, bool added, int64_t gap_of_c, bool exact) {
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.k);
  CAPTURE(added);
  CAPTURE(exact);
  const auto a = whole_numbers(s.m, s.k, 1), b = whole_numbers(s.k, s.n, 2), before = whole_numbers(s.m, s.n, 3);
  const auto expected = product(s, alpha, a, b, added, before);
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Stored<T> left(a, s.m, s.k, ta), right(b, s.k, s.n, tb);
      Stored<T> c(before, s.m, s.n, false, gap_of_c);
      if (!added) std::fill(c.values.begin(), c.values.end(), T(NAN));
      const kernels::Product<T> to{c.values.data(), c.stride, added};
      if (exact) kernels::gemm_exact(s.m, s.n, s.k, alpha, left.matrix(), right.matrix(), to);
      if (!exact) kernels::gemm(s.m, s.n, s.k, alpha, left.matrix(), right.matrix(), to);
      int64_t wrong = 0, written_between = 0;
      for (int64_t i = 0; i < s.m; ++i) {
        const T* row = c.values.data() + i * c.stride;
        for (int64_t j = 0; j < s.n; ++j) wrong += double{row[j]} != expected[static_cast<std::size_t>(i * s.n + j)];
        for (int64_t j = s.n; j < c.stride; ++j) written_between += !std::isnan(row[j]);
      }
      CHECK(wrong == 0);
      CHECK(written_between == 0);
    }
  }
}

template <typename T> void check_gemm(const Sizes& sizes, int64_t gap_of_c, bool exact) {
  check_gemm<T>(sizes, T(0.5), true, gap_of_c, exact);
  check_gemm<T>(sizes, 1, false, gap_of_c, exact);
}

void check_gemm(const Sizes& sizes) {
  for (const int64_t gap_of_c : {int64_t{0}, kGap}) {
    for (const bool exact : {false, true}) {
      check_gemm<float>(sizes, gap_of_c, exact);
      check_gemm<double>(sizes, gap_of_c, exact);
    }
    const Bf16Products products;
    check_gemm<float>(sizes, gap_of_c, false);
    check_gemm<float>(sizes, 1, true, gap_of_c, false);
  }
}

}  // namespace

TEST_CASE("gemm: α A B of rows that lie apart, each way transposed, added to C or in its place, even of NaN") {
  for (const Sizes& sizes : {Sizes{1, 1, 1}, {2, 3, 5}, {17, 33, 70}, {64, 40, 129}}) check_gemm(sizes);
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
