#include "nn/activation/softmax_kernel.h"

#include "core/kernels/rows.h"

namespace gradus::kernels {

Tensor softmax(const Tensor& x) {
  if (x.dtype() == DType::f16) return cast(softmax(cast(x, DType::f32)), DType::f16);
  Tensor y(x.shape(), x.dtype());
  dispatch_real("softmax", x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    const int64_t n = x.size(-1);
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * n;
        exp_row(from + i * n, row, n, row_max(from + i * n, n));
        const T scale = T(1) / row_sum(row, n);
        for (int64_t j = 0; j < n; ++j) row[j] *= scale;
      }
    });
  });
  return y;
}

Tensor softmax_backward(const Tensor& grad, const Tensor& y) {
  if (y.dtype() == DType::f16) {
    return cast(softmax_backward(cast(grad, DType::f32), cast(y, DType::f32)), DType::f16);
  }
  Tensor dx(y.shape(), y.dtype());
  dispatch_real("softmax", y.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *probability = y.data<T>();
    T* to = dx.mutable_data<T>();
    const int64_t n = y.size(-1);
    for_rows(y, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin * n; i < end * n; i += n) {
        const T along = row_dot(g + i, probability + i, n);
        for (int64_t j = i; j < i + n; ++j) to[j] = probability[j] * (g[j] - along);
      }
    });
  });
  return dx;
}

// The row of exponentials is written into y first, and then overwritten.
Tensor log_softmax(const Tensor& x) {
  if (x.dtype() == DType::f16) return cast(log_softmax(cast(x, DType::f32)), DType::f16);
  Tensor y(x.shape(), x.dtype());
  dispatch_real("log_softmax", x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    const int64_t n = x.size(-1);
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin * n; i < end * n; i += n) {
        const T most = row_max(from + i, n);
        exp_row(from + i, to + i, n, most);
        const T log_sum = std::log(row_sum(to + i, n));
        for (int64_t j = i; j < i + n; ++j) to[j] = from[j] - most - log_sum;
      }
    });
  });
  return y;
}

Tensor log_softmax_backward(const Tensor& grad, const Tensor& y) {
  if (y.dtype() == DType::f16) {
    return cast(log_softmax_backward(cast(grad, DType::f32), cast(y, DType::f32)), DType::f16);
  }
  Tensor dx(y.shape(), y.dtype());
  dispatch_real("log_softmax", y.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *log_probability = y.data<T>();
    T* to = dx.mutable_data<T>();
    const int64_t n = y.size(-1);
    for_rows(y, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin * n; i < end * n; i += n) {
        const T total = row_sum(g + i, n);
        exp_row(log_probability + i, to + i, n, T(0));
        for (int64_t j = i; j < i + n; ++j) to[j] = g[j] - to[j] * total;
      }
    });
  });
  return dx;
}

}  // namespace gradus::kernels
