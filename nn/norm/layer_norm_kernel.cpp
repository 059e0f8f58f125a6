#include "nn/norm/layer_norm_kernel.h"

#include "core/kernels/rows.h"

namespace gradus::kernels {

// The variance is taken from the centred row, in a second pass: E[x²] - μ² would cancel where |μ| is large.
LayerNorm layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double eps) {
  if (x.dtype() == DType::f16) {
    LayerNorm result = layer_norm(widened(x), widened(gain), widened(bias), eps);
    return {cast(result.y, DType::f16), result.mean, result.inverse_root};
  }
  const int64_t n = x.size(-1);
  const Shape rows{row_count(x)};
  LayerNorm result{Tensor(x.shape(), x.dtype()), Tensor(rows, x.dtype()), Tensor(rows, x.dtype())};
  dispatch_real("layer_norm", x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    const T* shift = bias.defined() ? bias.data<T>() : nullptr;
    T *to = result.y.mutable_data<T>(), *means = result.mean.mutable_data<T>();
    T* inverse_roots = result.inverse_root.mutable_data<T>();
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * n;
        const T mean = row_sum(from + i * n, n) / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) row[j] = from[i * n + j] - mean;
        const T inverse = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + static_cast<T>(eps));
        means[i] = mean;
        inverse_roots[i] = inverse;
        for (int64_t j = 0; j < n; ++j) {
          const T normalized = row[j] * inverse;
          row[j] = normalized * (scale != nullptr ? scale[j] : T(1)) + (shift != nullptr ? shift[j] : T(0));
        }
      }
    });
  });
  return result;
}

LayerNormGradients layer_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& mean,
                                       const Tensor& inverse_root, bool affine) {
  if (x.dtype() == DType::f16) {
    const auto d = layer_norm_backward(widened(grad), widened(x), widened(gain), mean, inverse_root, affine);
    if (!affine) return {cast(d.x, DType::f16), {}, {}};
    return {cast(d.x, DType::f16), cast(d.gain, DType::f16), cast(d.bias, DType::f16)};
  }
  const int64_t n = x.size(-1);
  LayerNormGradients result{Tensor(x.shape(), x.dtype()), {}, {}};
  dispatch_real("layer_norm", x.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *from = x.data<T>();
    const T *means = mean.data<T>(), *inverse_roots = inverse_root.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    T* to = result.x.mutable_data<T>();
    const auto sums = sum_over_rows<T>(x, affine ? 2 * n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = from + i * n, *row_g = g + i * n;
        const T center = means[i], inverse = inverse_roots[i];
        T total = 0, along = 0;  // Σ ĝ and Σ ĝ ⊙ x̂
#pragma omp simd reduction(+ : total, along)
        for (int64_t j = 0; j < n; ++j) {
          const T through = row_g[j] * (scale != nullptr ? scale[j] : T(1));
          total += through;
          along += through * ((row[j] - center) * inverse);
        }
        total /= static_cast<T>(n);
        along /= static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) {
          const T normalized = (row[j] - center) * inverse;
          const T through = row_g[j] * (scale != nullptr ? scale[j] : T(1));
          to[i * n + j] = (through - total - normalized * along) * inverse;
        }
        if (!affine) continue;
        for (int64_t j = 0; j < n; ++j) {
          part[j] += row_g[j] * ((row[j] - center) * inverse);  // dγ
          part[n + j] += row_g[j];                              // dβ
        }
      }
    });
    if (!affine) return;
    result.gain = Tensor(Shape{n}, x.dtype());
    result.bias = Tensor(Shape{n}, x.dtype());
    std::copy(sums.begin(), sums.begin() + n, result.gain.mutable_data<T>());
    std::copy(sums.begin() + n, sums.end(), result.bias.mutable_data<T>());
  });
  return result;
}

}  // namespace gradus::kernels
