#include "optim/adafactor_kernel.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

// R and C: running means of g² + ε₁ over columns and over rows.
template <typename T> void update_means(const Tensor& grad, Tensor& row, Tensor& column, const AdafactorStep& step) {
  const int64_t rows = row_count(grad), columns = grad.size(-1);
  const T* g = grad.data<T>();
  T *r = row.mutable_data<T>(), *c = column.mutable_data<T>();
  const T beta = static_cast<T>(step.beta), eps = static_cast<T>(step.eps1);
  const std::vector<T> sums = sum_over_rows<T>(grad, columns, [=](int64_t begin, int64_t end, T* part) {
    for (int64_t i = begin; i < end; ++i) {
      const T* values = g + i * columns;
      for (int64_t j = 0; j < columns; ++j) part[j] += values[j] * values[j] + eps;
      r[i] = beta * r[i] + (T(1) - beta) * (row_dot(values, values, columns) / static_cast<T>(columns) + eps);
    }
  });
  for (int64_t j = 0; j < columns; ++j) {
    c[j] = beta * c[j] + (T(1) - beta) * sums[static_cast<std::size_t>(j)] / static_cast<T>(rows);
  }
}

}  // namespace

void adafactor(Tensor& parameter, const Tensor& grad, Tensor& row, Tensor& column, const AdafactorStep& step) {
  const int64_t rows = row_count(grad), columns = parameter.size(-1);
  if (rows == 0) return;
  dispatch_real("adafactor", parameter.dtype(), [&]<typename T>() {
    update_means<T>(grad, row, column, step);
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    // 1/√V = by_row · by_column
    std::vector<T> by_row(row.data<T>(), row.data<T>() + rows),
        by_column(column.data<T>(), column.data<T>() + columns);
    const T mean = row_sum(by_row.data(), rows) / static_cast<T>(rows);
    for (T& value : by_row) value = T(1) / std::sqrt(value / mean);
    for (T& value : by_column) value = T(1) / std::sqrt(value);
    const T *u = by_row.data(), *v = by_column.data();

    std::vector<double> squares(static_cast<std::size_t>(rows));
    double* square = squares.data();
    for_rows(grad, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < columns; ++j) sum += (g[i * columns + j] * v[j]) * (g[i * columns + j] * v[j]);
        square[i] = static_cast<double>(u[i] * u[i] * sum);
      }
    });
    const double size = std::sqrt(row_sum(square, rows) / static_cast<double>(parameter.numel()));

    const T rate = static_cast<T>(step.length / std::max(1.0, size / step.clip)), keep = static_cast<T>(step.keep);
    for_rows(grad, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i * columns;
        for (int64_t j = 0; j < columns; ++j) p[first + j] = p[first + j] * keep - rate * u[i] * v[j] * g[first + j];
      }
    });
  });
}

}  // namespace gradus::kernels
