#include "core/kernels/gemm.h"

#include <algorithm>
#include <vector>

#include "core/tensor/threads.h"
#include "core/tensor/check.h"

#if GRADUS_BLAS
#include <cblas.h>
#include <oneapi/dnnl/dnnl.h>
#endif

namespace gradus::kernels {
namespace {

[[maybe_unused]] constexpr int64_t kSharedProduct = 1 << 20;  // multiplications worth more than one thread

// C = beta · C first; beta = 0 must not multiply what was there, which may be NaN.
template <typename T> void scale_rows(int64_t m, int64_t n, T beta, T* c, int64_t c_stride) {
  for (int64_t i = 0; i < m; ++i) {
    T* row = c + i * c_stride;
    if (beta == T(0)) {
      std::fill(row, row + n, T(0));
    } else {
      for (int64_t j = 0; j < n; ++j) row[j] *= beta;
    }
  }
}

#if !GRADUS_BLAS
// Row by row: C[i, :] += A[i, p] · B[p, :], the inner loop over neighbours in memory. Blocks of p beta the rows of
// B in the cache while they are reused for every i. A transposed B is copied once, so that its rows are neighbours.
template <typename T>
void gemm_plain(int64_t m, int64_t n, int64_t k, T alpha, Matrix<T> a, Matrix<T> b, T beta, T* c, int64_t c_stride) {
  std::vector<T> copy;
  if (b.transposed) {
    copy.resize(static_cast<std::size_t>(k * n));
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t p = 0; p < k; ++p) copy[static_cast<std::size_t>(p * n + j)] = b.data[j * b.row_stride + p];
    }
    b = {copy.data(), n, false};
  }
  constexpr int64_t block = 64;
  parallel_for(m, 32768 / std::max<int64_t>(n * k, 1) + 1, [=](int64_t begin, int64_t end) {
    scale_rows(end - begin, n, beta, c + begin * c_stride, c_stride);
    for (int64_t first = 0; first < k; first += block) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = c + i * c_stride;
        for (int64_t p = first; p < std::min(first + block, k); ++p) {
          const T left = alpha * (a.transposed ? a.data[p * a.row_stride + i] : a.data[i * a.row_stride + p]);
          const T* right = b.data + p * b.row_stride;
          for (int64_t j = 0; j < n; ++j) row[j] += left * right[j];
        }
      }
    }
  });
}
#endif

}  // namespace

void gemm(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, float beta, float* c,
          int64_t c_stride) {
  if (m == 0 || n == 0 || k == 0) return scale_rows(m, n, beta, c, c_stride);
#if GRADUS_BLAS
  const OneThread small(m * n * k < kSharedProduct);
  const auto status = dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, alpha, a.data,
                                 a.row_stride, b.data, b.row_stride, beta, c, c_stride);
  check<Error>(status == dnnl_success, "gemm: oneDNN failed with status {}", static_cast<int>(status));
#else
  gemm_plain(m, n, k, alpha, a, b, beta, c, c_stride);
#endif
}

void gemm(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, double beta, double* c,
          int64_t c_stride) {
  if (m == 0 || n == 0 || k == 0) return scale_rows(m, n, beta, c, c_stride);
#if GRADUS_BLAS
  const auto as_int = [](int64_t size) { return static_cast<int>(size); };
  cblas_dgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans,
              as_int(m), as_int(n), as_int(k), alpha, a.data, as_int(a.row_stride), b.data, as_int(b.row_stride), beta,
              c, as_int(c_stride));
#else
  gemm_plain(m, n, k, alpha, a, b, beta, c, c_stride);
#endif
}

}  // namespace gradus::kernels
