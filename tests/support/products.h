// Products on raw memory beside their definition.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/kernels/gemm.h"

namespace gradus::test {

using std::int64_t;

struct ProductSizes { int64_t m, n, k; };

// Whole numbers from -2 to 2: every sum of their products is exact, in any order, and bf16 has them all.
inline std::vector<double> whole_numbers(int64_t rows, int64_t columns, int64_t salt) {
  std::vector<double> x;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) x.push_back(static_cast<double>((i * 7 + j * 3 + i * j % 11 + salt) % 5 - 2));
  }
  return x;
}

inline constexpr int64_t kGap = 3;  // between the rows, filled with NaN

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
inline std::vector<double> product(const ProductSizes& s, double alpha, const std::vector<double>& a, const std::vector<double>& b,
                                   bool added, const std::vector<double>& c) {
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

// multiply(m, n, k, α, A, B, C) is α A B, each of A and B transposed or not, in place of C or added to it.
template <typename T, typename Multiply>
void check_product(const ProductSizes& s, T alpha, bool added, int64_t gap_of_c, const Multiply& multiply) {
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.k);
  CAPTURE(added);
  const auto a = whole_numbers(s.m, s.k, 1), b = whole_numbers(s.k, s.n, 2), before = whole_numbers(s.m, s.n, 3);
  const auto expected = product(s, alpha, a, b, added, before);
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Stored<T> left(a, s.m, s.k, ta), right(b, s.k, s.n, tb);
      Stored<T> c(before, s.m, s.n, false, gap_of_c);
      if (!added) std::fill(c.values.begin(), c.values.end(), T(NAN));
      const kernels::Product<T> to{c.values.data(), c.stride, added};
      multiply(s.m, s.n, s.k, alpha, left.matrix(), right.matrix(), to);
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

template <typename T, typename Multiply> void check_product(const ProductSizes& sizes, int64_t gap_of_c, const Multiply& multiply) {
  check_product<T>(sizes, T(0.5), true, gap_of_c, multiply);
  check_product<T>(sizes, T(1), false, gap_of_c, multiply);
}

}  // namespace gradus::test
