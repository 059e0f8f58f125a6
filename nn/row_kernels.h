// Pieces that row-wise kernels of layers share. They compute in f32 or f64; f16 is widened before them, in fused().
#pragma once

#include <limits>
#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

inline int64_t row_count(const Tensor& x) { return x.size(-1) == 0 ? 0 : x.numel() / x.size(-1); }

// Calls body(begin, end) over parts of the rows, of n values each, in parallel.
template <typename Body> void for_rows(int64_t rows, int64_t n, const Body& body) {
  parallel_for(rows, kMathGrain / std::max<int64_t>(n, 1) + 1, body);
}
template <typename Body> void for_rows(const Tensor& x, const Body& body) { for_rows(row_count(x), x.size(-1), body); }

// The values of an input that may be absent.
template <typename T> const T* data_or_null(const Tensor& x) { return x.defined() ? x.data<T>() : nullptr; }

// `columns` sums over rows of n values: body(begin, end, part) adds the rows begin … end-1 to `part`, which starts at 0. Blocks
// of √rows rows, at least 32, are summed side by side, then their parts in order: the same bits for any number of threads, and an
// error that grows with √rows. With no columns, body still runs.
template <typename T, typename Body>
std::vector<T> sum_over_rows(int64_t rows, int64_t n, int64_t columns, const Body& body) {
  const int64_t height = columns == 0 ? 1 : std::max<int64_t>(32, std::llround(std::sqrt(static_cast<double>(rows))));
  const int64_t blocks = (rows + height - 1) / height;
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

template <typename V> V row_dot(const V* x, const V* y, int64_t n) {
  return sum_of<V>(0, n, [=](int64_t j) { return x[j] * y[j]; });
}

// y = e^(x - shift)
template <typename V> void exp_row(const V* x, V* y, int64_t n, V shift) {
  for_vectors<V>(n, [=](auto load, auto store) { store(y, xsimd::exp(load(x) - shift)); });
}

}  // namespace gradus::kernels
