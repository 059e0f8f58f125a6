// The sum of a row, as reductions and row-wise kernels take it. They compute in f32 or f64; f16 is widened before.
#pragma once

#include "core/kernels/elementwise.h"

namespace gradus::kernels {

// Σ term(j) for first ≤ j < last. Long ones are halved, so that rounding grows with log n and not with n. Each quarter of a block
// has its own sum, so that no addition waits for the one before.
template <typename V, typename Term> V sum_of(int64_t first, int64_t last, Term term) {
  constexpr int64_t block = 256;
  if (last - first > block) {
    const int64_t middle = first + (last - first) / 2;
    return sum_of<V>(first, middle, term) + sum_of<V>(middle, last, term);
  }
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

template <typename V> V row_sum(const V* x, int64_t n) {
  return sum_of<V>(0, n, [=](int64_t j) { return x[j]; });
}

}  // namespace gradus::kernels
