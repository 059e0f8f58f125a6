#include "core/kernels/gemm.h"

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "core/kernels/bf16.h"
#include "core/kernels/scratch.h"
#include "core/machine/parallel.h"

#if GRADUS_BLAS
#include <cblas.h>
#include <oneapi/dnnl/dnnl.h>
#endif

namespace gradus::kernels {
namespace {

// What the terms of a product are added to: zeros, or what is there.
template <typename T> void begin_product(int64_t m, int64_t n, Product<T> c) {
  if (c.added) return;
  for (int64_t i = 0; i < m; ++i) std::fill_n(c.data + i * c.row_stride, n, T(0));
}

using MultiplyF32 = void(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c);

// By `multiply`, which takes no empty product. Where C is one row or column, oneDNN adds all terms to one running sum, whose rounding
// error grows with k: a long k is halved.
void gemm_by(MultiplyF32& multiply, int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  if (m == 0 || n == 0 || k == 0) return begin_product(m, n, c);
  if ((m > 1 && n > 1) || k <= 2048) return multiply(m, n, k, alpha, a, b, c);
  const int64_t half = k / 2;
  Scratch<float> rest(m * n);
  gemm_by(multiply, m, n, half, alpha, a, b, c);
  gemm_by(multiply, m, n, k - half, alpha, from(a, 0, half), from(b, half, 0), {rest.data(), n});
  for (int64_t i = 0; i < m * n; ++i) c.data[m == 1 ? i : i * c.row_stride] += rest.data()[i];
}

#if GRADUS_BLAS
// One product, on one thread.
void product_of(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  const LibraryAlone alone;
  const auto status = dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, alpha, a.data, a.row_stride, b.data,
                                 b.row_stride, c.added ? 1 : 0, c.data, c.row_stride);
  check<Error>(status == dnnl_success, "gemm: oneDNN failed with status {}", static_cast<int>(status));
}

// #region inside-products
// Tiles of C: the longer edge is halved while it is longer than 512, or while there are fewer than 4 tiles. A long k is split, too
// (split-K): from 512 on where C is small, as adding the partial products costs little, else from 4096 on where there are few tiles.
// All this depends on the sizes alone: oneDNN's own division depends on the number of threads, and with it the last bit of some products.
void cut(Cut& rows, Cut& columns, Cut& inner) {
  constexpr int64_t longest = 512, shortest = 64, enough = 4, small = 1 << 16;
  for (;;) {
    const int64_t height = rows.size / rows.parts, width = columns.size / columns.parts, edge = std::max(height, width);
    if (edge <= longest && (rows.parts * columns.parts >= enough || edge < 2 * shortest)) break;
    (height >= width ? rows : columns).parts *= 2;
  }
  const bool is_small = rows.size * columns.size <= small;
  const int64_t most = std::max<int64_t>(2 * enough / (rows.parts * columns.parts), is_small ? 2 : 1);
  inner.parts = std::clamp<int64_t>(inner.size / (is_small ? 256 : 2048), 1, most);
}

// Threads share the tiles, each computed by one; the partial products of a split k are added in order.
void gemm_tiled(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  Cut rows{m}, columns{n}, inner{k};
  cut(rows, columns, inner);
  Scratch<float> partial(m * n * (inner.parts - 1));
  float* const others = partial.data();
  const int64_t tiles = rows.parts * columns.parts;
  for_each(tiles * inner.parts, kGrain, [=](int64_t item) {
    const int64_t split = item / tiles, tile = item % tiles;
    const int64_t row = tile / columns.parts, column = tile % columns.parts;
    const int64_t i = rows.begin(row), j = columns.begin(column), p = inner.begin(split);
    const Product<float> part = split == 0 ? Product<float>{c.data + i * c.row_stride + j, c.row_stride, c.added}
                                           : Product<float>{others + (split - 1) * m * n + i * n + j, n};
    product_of(rows.length(row), columns.length(column), inner.length(split), alpha, from(a, i, p), from(b, p, j), part);
  });
  for (int64_t split = 1; split < inner.parts; ++split) {
    const float* add = others + (split - 1) * m * n;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) c.data[i * c.row_stride + j] += add[i * n + j];
    }
  }
}
// #endregion inside-products
#else
// Row by row: C[i, :] += A[i, p] · B[p, :], the inner loop over neighbours in memory. Blocks of p keep the rows of
// B in the cache while they are reused for every i. A transposed B is copied once, so that its rows are neighbours.
template <typename T>
void product_of(int64_t m, int64_t n, int64_t k, T alpha, Matrix<T> a, Matrix<T> b, Product<T> c) {
  Scratch<T> copy(b.transposed ? k * n : 0);
  if (b.transposed) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t p = 0; p < k; ++p) copy.data()[p * n + j] = b.data[j * b.row_stride + p];
    }
    b = {copy.data(), n, false};
  }
  constexpr int64_t block = 64;
  parallel_for(m, 32768 / std::max<int64_t>(n * k, 1) + 1, [=](int64_t begin, int64_t end) {
    begin_product(end - begin, n, Product<T>{c.data + begin * c.row_stride, c.row_stride, c.added});
    // #region op-matmul.kernel
    for (int64_t first = 0; first < k; first += block) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = c.data + i * c.row_stride;
        for (int64_t p = first; p < std::min(first + block, k); ++p) {
          const T left = alpha * (a.transposed ? a.data[p * a.row_stride + i] : a.data[i * a.row_stride + p]);
          const T* right = b.data + p * b.row_stride;
          for (int64_t j = 0; j < n; ++j) row[j] += left * right[j];
        }
      }
    }
    // #endregion op-matmul.kernel
  });
}
#endif

}  // namespace

void gemm_f32(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
#if GRADUS_BLAS
  const bool is_small = m * n * k < 1 << 20 && n * k < 1 << 18;  // waking threads costs time; so does one thread reading a large B
  (is_small ? product_of : gemm_tiled)(m, n, k, alpha, a, b, c);
#else
  product_of(m, n, k, alpha, a, b, c);
#endif
}

void gemm(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  gemm_by(Bf16Products::on() ? gemm_bf16 : gemm_f32, m, n, k, alpha, a, b, c);
}

void gemm_exact(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  gemm_by(gemm_f32, m, n, k, alpha, a, b, c);
}

void gemm(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, Product<double> c) {
  if (m == 0 || n == 0 || k == 0) return begin_product(m, n, c);
#if GRADUS_BLAS
  const auto as_int = [](int64_t size) {
    check<ShapeError>(size <= std::numeric_limits<int>::max(), "matmul: an axis of f64 is at most 2³¹ - 1 long, got {}; use f32", size);
    return static_cast<int>(size);
  };
  cblas_dgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans, as_int(m), as_int(n),
              as_int(k), alpha, a.data, as_int(a.row_stride), b.data, as_int(b.row_stride), c.added ? 1 : 0, c.data, as_int(c.row_stride));
#else
  product_of(m, n, k, alpha, a, b, c);
#endif
}

}  // namespace gradus::kernels
