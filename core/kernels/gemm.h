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

// op(A) from row i and column j on.
template <typename T> Matrix<T> from(Matrix<T> a, int64_t i, int64_t j) {
  return {a.data + (a.transposed ? j * a.row_stride + i : i * a.row_stride + j), a.row_stride, a.transposed};
}

// Where the product goes: in place of what is there, or added to it.
template <typename T> struct Product {
  T* data;
  int64_t row_stride;
  bool added = false;
};

template <typename T> Product<T> added_to(T* data, int64_t row_stride) { return {data, row_stride, true}; }

// C = alpha · op(A) op(B), or C += alpha · op(A) op(B), with op(A) = A or Aᵀ [m, k], op(B) [k, n], C [m, n], which must not overlap
// A or B. A large product is cut into tiles, which threads share. Error (rounding to bf16: dnnl::error) if oneDNN fails, ShapeError for
// an axis of f64 above 2³¹ - 1.
void gemm(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c);
void gemm(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, Product<double> c);

// The same, never rounded to bf16: for many small products, which take longer to round than to multiply.
void gemm_exact(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c);
inline void gemm_exact(int64_t m, int64_t n, int64_t k, double alpha, Matrix<double> a, Matrix<double> b, Product<double> c) {
  gemm(m, n, k, alpha, a, b, c);
}

// gemm calls one of these for a product of f32 that is not empty: of its operands as they are, or rounded to bf16.
void gemm_f32(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c);
void gemm_bf16(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c);

// [0, size) in about equal parts, which begin at multiples of 16, the floats of a vector.
struct Cut {
  int64_t begin(int64_t part) const { return part == parts ? size : size * part / parts / 16 * 16; }
  int64_t length(int64_t part) const { return begin(part + 1) - begin(part); }
  int64_t size, parts = 1;
};

}  // namespace gradus::kernels
