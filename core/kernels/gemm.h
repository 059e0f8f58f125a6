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

// Where the product goes: in place of what is there, or added to it.
template <typename T> struct Product {
  T* data;
  int64_t row_stride;
  bool added = false;
};

template <typename T> Product<T> added_to(T* data, int64_t row_stride) { return {data, row_stride, true}; }

// C = alpha · op(A) op(B), or C += alpha · op(A) op(B), with op(A) [m, k], op(B) [k, n], C [m, n]. A large product is cut into tiles,
// which threads share, unless it is to stay whole, on the calling thread: for loops that share out their products themselves.
void gemm(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c, bool whole = false);
void gemm(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, Product<double> c, bool whole = false);

}  // namespace gradus::kernels
