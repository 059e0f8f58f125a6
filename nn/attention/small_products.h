// The products of a head, such as [32, 16] times [16, 64]. A step has thousands, and a library's call takes as long as such a product.
#pragma once

#include <algorithm>
#include <xsimd/xsimd.hpp>

#include "core/kernels/gemm.h"

namespace gradus::kernels {

inline constexpr int64_t kVector = 16;  // score rows are padded to a multiple of this, so that no vector loop has a remainder
constexpr int64_t padded(int64_t n) { return (n + kVector - 1) / kVector * kVector; }

// Whether it pays to transpose the keys first, and how many queries are multiplied at a time.
constexpr bool are_transposed(int64_t queries, int64_t keys) { return queries >= 8 && 4 * queries >= keys && keys <= 512; }
constexpr int64_t tile_height(int64_t queries, int64_t keys) { return are_transposed(queries, keys) ? 32 : 64; }

// xᵀ of the rows x of all keys: a copy, or x itself, to be read transposed.
template <typename T>
Matrix<T> transposed(int64_t queries, int64_t keys, int64_t width, const T* x, int64_t row_stride, T* copy) {
  if (!are_transposed(queries, keys)) return {x, row_stride, true};
  const int64_t stride = padded(keys);
  for (int64_t first = 0; first < stride; first += kVector) {
    for (int64_t p = 0; p < width; ++p) {
      for (int64_t j = first; j < std::min(first + kVector, keys); ++j) copy[p * stride + j] = x[j * row_stride + p];
    }
  }
  return {copy, stride};
}

#ifdef XSIMD_NO_SUPPORTED_ARCHITECTURE
template <typename T> void small_product(int64_t m, int64_t n, int64_t k, T alpha, Matrix<T> a, Matrix<T> b, Product<T> c) {
  gemm_exact(m, n, k, alpha, a, b, c);
}
#else
// #region inside-small-product
template <typename T> Product<T> from(Product<T> c, int64_t i, int64_t j) { return {c.data + i * c.row_stride + j, c.row_stride, c.added}; }

// Rows × Vectors of C, whose sums stay in registers: each number of A and B that is read serves several of them.
template <int Rows, int Vectors, typename T> void block(int64_t k, T alpha, Matrix<T> a, Matrix<T> b, Product<T> c) {
  using Vector = xsimd::batch<T>;
  constexpr auto width = static_cast<int64_t>(Vector::size);
  const int64_t a_row = a.transposed ? 1 : a.row_stride, a_column = a.transposed ? a.row_stride : 1;
  Vector sums[Rows][Vectors] = {};
  for (int64_t p = 0; p < k; ++p) {
    Vector of_b[Vectors];
    for (int64_t v = 0; v < Vectors; ++v) of_b[v] = Vector::load_unaligned(b.data + p * b.row_stride + v * width);
    for (int64_t i = 0; i < Rows; ++i) {
      for (int64_t v = 0; v < Vectors; ++v) sums[i][v] = xsimd::fma(Vector(a.data[i * a_row + p * a_column]), of_b[v], sums[i][v]);
    }
  }
  for (int64_t i = 0; i < Rows; ++i) {
    for (int64_t v = 0; v < Vectors; ++v) {
      T* to = c.data + i * c.row_stride + v * width;
      (c.added ? Vector::load_unaligned(to) + alpha * sums[i][v] : alpha * sums[i][v]).store_unaligned(to);
    }
  }
}

// C by blocks, the last rows and columns by blocks of half as many; columns that fill no vector are gemm_exact's.
template <int Rows, int Vectors, typename T>
void in_blocks(int64_t m, int64_t n, int64_t k, T alpha, Matrix<T> a, Matrix<T> b, Product<T> c) {
  if constexpr (Vectors == 0) {
    gemm_exact(m, n, k, alpha, a, b, c);
  } else {
    constexpr int64_t width = Vectors * static_cast<int64_t>(xsimd::batch<T>::size);
    const int64_t rows = m / Rows * Rows, columns = n / width * width;
    for (int64_t j = 0; j < columns; j += width) {
      for (int64_t i = 0; i < rows; i += Rows) block<Rows, Vectors>(k, alpha, from(a, i, 0), from(b, 0, j), from(c, i, j));
    }
    if (rows < m) in_blocks<(Rows + 1) / 2, Vectors>(m - rows, columns, k, alpha, from(a, rows, 0), b, from(c, rows, 0));
    if (columns < n) in_blocks<Rows, Vectors / 2>(m, n - columns, k, alpha, a, from(b, 0, columns), from(c, 0, columns));
  }
}

// The same as gemm_exact, but for the order of summation, and faster where the product is small and B is not transposed.
template <typename T> void small_product(int64_t m, int64_t n, int64_t k, T alpha, Matrix<T> a, Matrix<T> b, Product<T> c) {
  constexpr int rows = sizeof(xsimd::batch<T>) >= 64 ? 8 : 4;  // AVX-512 has 32 registers, for 8 · 2 sums and 2 vectors of B
  const bool is_small = m * n * k <= 1 << 18 && k <= 1024;
  if (is_small && k > 0 && !b.transposed) return in_blocks<rows, 2>(m, n, k, alpha, a, b, c);
  gemm_exact(m, n, k, alpha, a, b, c);
}
// #endregion inside-small-product
#endif

}  // namespace gradus::kernels
