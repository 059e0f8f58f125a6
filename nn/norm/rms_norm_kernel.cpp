#include "nn/norm/rms_norm_kernel.h"

#include "core/kernels/rows.h"

namespace gradus::kernels {
RmsNorm rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  if (x.dtype() == DType::f16) {
    const RmsNorm result = rms_norm(cast(x, DType::f32), widened(gain), eps);
    return {cast(result.y, DType::f16), result.inverse_root};
  }
  const int64_t n = x.size(-1);
  RmsNorm result{Tensor(x.shape(), x.dtype()), Tensor(Shape{row_count(x)}, x.dtype())};
  dispatch_real("rms_norm", x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    T *to = result.y.mutable_data<T>(), *inverse_root = result.inverse_root.mutable_data<T>();
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = from + i * n;
        const T inverse = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + static_cast<T>(eps));
        inverse_root[i] = inverse;
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = row[j] * inverse * (scale != nullptr ? scale[j] : T(1));
      }
    });
  });
  return result;
}

RmsNormGradients rms_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& inverse_root) {
  if (x.dtype() == DType::f16) {
    const RmsNormGradients d = rms_norm_backward(widened(grad), widened(x), widened(gain), inverse_root);
    return {cast(d.x, DType::f16), gain.defined() ? cast(d.gain, DType::f16) : Tensor()};
  }
  const int64_t n = x.size(-1);
  RmsNormGradients result{Tensor(x.shape(), x.dtype()), gain.defined() ? Tensor(gain.shape(), x.dtype()) : Tensor()};
  dispatch_real("rms_norm", x.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *from = x.data<T>(), *inverse = inverse_root.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    T* to = result.x.mutable_data<T>();
    const auto dgain = sum_over_rows<T>(x, scale != nullptr ? n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = from + i * n, *row_g = g + i * n;
        T along = 0;  // Σ ĝ ⊙ x
#pragma omp simd reduction(+ : along)
        for (int64_t j = 0; j < n; ++j) along += row_g[j] * row[j] * (scale != nullptr ? scale[j] : T(1));
        const T pull = along / static_cast<T>(n) * inverse[i] * inverse[i];
        for (int64_t j = 0; j < n; ++j) {
          const T through = row_g[j] * (scale != nullptr ? scale[j] : T(1));
          to[i * n + j] = (through - row[j] * pull) * inverse[i];
        }
        if (scale == nullptr) continue;
        for (int64_t j = 0; j < n; ++j) part[j] += row_g[j] * row[j] * inverse[i];
      }
    });
    if (scale != nullptr) std::copy(dgain.begin(), dgain.end(), result.gain.mutable_data<T>());
  });
  return result;
}

}  // namespace gradus::kernels
