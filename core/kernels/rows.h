// Pieces that row-wise kernels share. They compute in f32 or f64; f16 is widened before them, in fused().
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/kernels/elementwise.h"

namespace gradus::kernels {

inline int64_t row_count(const Tensor& x) { return x.size(-1) == 0 ? 0 : x.numel() / x.size(-1); }

// Calls body(begin, end) over parts of the rows, of n values each, in parallel.
template <typename Body> void for_rows(int64_t rows, int64_t n, const Body& body) {
  parallel_for(rows, kMathGrain / std::max<int64_t>(n, 1) + 1, body);
}
template <typename Body> void for_rows(const Tensor& x, const Body& body) { for_rows(row_count(x), x.size(-1), body); }

// The values of an input that may be absent.
template <typename T> const T* data_or_null(const Tensor& x) { return x.defined() ? x.data<T>() : nullptr; }

// `columns` sums over rows of n values: body(begin, end, part) adds what the rows begin … end-1 contribute to `part`,
// which starts at 0. Blocks of a fixed height are summed side by side, then their parts one after the other, so that the
// order of additions, and with it every bit, is the same for any number of threads. With no columns, body still runs.
template <typename T, typename Body>
std::vector<T> sum_over_rows(int64_t rows, int64_t n, int64_t columns, const Body& body) {
  const int64_t height = columns == 0 ? 1 : 32, blocks = (rows + height - 1) / height;
  std::vector<T> sums(static_cast<std::size_t>(columns)), parts(static_cast<std::size_t>(blocks * columns));
  T* first = parts.data();
  parallel_for(blocks, kMathGrain / (height * n) + 1, [=](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) body(b * height, std::min((b + 1) * height, rows), first + b * columns);
  });
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t j = 0; j < columns; ++j) sums[static_cast<std::size_t>(j)] += first[b * columns + j];
  }
  return sums;
}

// Such sums as a tensor.
template <typename T> Tensor from_sums(const T* sums, const Shape& shape) {
  Tensor x(shape, dtype_of<T>);
  std::copy(sums, sums + shape.numel(), x.mutable_data<T>());
  return x;
}

// A ternary vectorises; std::max, which takes references, does not. A NaN shows in the sum that follows.
template <typename V> V row_max(const V* x, int64_t n) {
  V max = -std::numeric_limits<V>::infinity();
#pragma omp simd reduction(max : max)
  for (int64_t j = 0; j < n; ++j) max = x[j] > max ? x[j] : max;
  return max;
}

// Σ term(j) for first ≤ j < last. Each quarter has a sum of its own, so that no addition waits for the one before.
template <typename V, typename Term> V sum_of_block(int64_t first, int64_t last, Term term) {
  const int64_t quarter = (last - first) / 4;
  V a = 0, b = 0, c = 0, d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
  for (int64_t j = first; j < first + quarter; ++j) {
    a += term(j);
    b += term(j + quarter);
    c += term(j + 2 * quarter);
    d += term(j + 3 * quarter);
  }
  for (int64_t j = first + 4 * quarter; j < last; ++j) a += term(j);
  return (a + b) + (c + d);
}

// The same. Long ones are halved, so that rounding grows with log n and not with n.
template <typename V, typename Term> V sum_of(int64_t first, int64_t last, Term term) {
  constexpr int64_t block = 256;
  if (last - first <= block) return sum_of_block<V>(first, last, term);
  const int64_t middle = first + (last - first) / 2;
  return sum_of<V>(first, middle, term) + sum_of<V>(middle, last, term);
}

// Σ a(j) and Σ b(j), halved likewise: one pass over what both read.
template <typename V, typename A, typename B> std::pair<V, V> sums_of(int64_t first, int64_t last, A a, B b) {
  constexpr int64_t block = 256;
  if (last - first > block) {
    const int64_t middle = first + (last - first) / 2;
    const auto left = sums_of<V>(first, middle, a, b), right = sums_of<V>(middle, last, a, b);
    return {left.first + right.first, left.second + right.second};
  }
  V sum_a = 0, sum_b = 0;
#pragma omp simd reduction(+ : sum_a, sum_b)
  for (int64_t j = first; j < last; ++j) {
    sum_a += a(j);
    sum_b += b(j);
  }
  return {sum_a, sum_b};
}

template <typename V> V row_sum(const V* x, int64_t n) {
  return sum_of<V>(0, n, [=](int64_t j) { return x[j]; });
}

template <typename V> V row_dot(const V* x, const V* y, int64_t n) {
  return sum_of<V>(0, n, [=](int64_t j) { return x[j] * y[j]; });
}

// y = e^(x - shift)
template <typename V> void exp_row(const V* x, V* y, int64_t n, V shift) {
  map_vector(x, y, n, [shift](auto v) { return xsimd::exp(v - decltype(v)(shift)); });
}

}  // namespace gradus::kernels
