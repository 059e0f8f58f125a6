#include "core/kernels/softmax.h"
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

}  // namespace gradus::kernels
