// gemm: the matrix product on raw memory, by oneDNN (f32) and a CBLAS (f64), or by plain loops.
// A signal handler that runs meanwhile needs a stack of its own (SA_ONSTACK) where oneDNN is older than 3.11.2.
#pragma once

#include <cstdint>

namespace gradus::kernels {

using std::int64_t;

// One row-major matrix: where it begins, how far its rows are apart, whether it is read transposed.
template <typename T> struct Matrix {
  const T* data;
  int64_t row_stride;
  bool transposed = false;
};

// C = alpha · op(A) op(B) + beta · C, with op(A) [m, k], op(B) [k, n], C [m, n]. beta = 0 overwrites, even NaN.
void gemm(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, float beta, float* c,
          int64_t c_stride);
void gemm(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, double beta, double* c,
          int64_t c_stride);

}  // namespace gradus::kernels
