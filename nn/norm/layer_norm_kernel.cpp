// With r = √(σ² + ε), x̂ = (x - μ) / r and ĝ = g ⊙ γ:
//
//   y = x̂ ⊙ γ + β      dL/dx = (ĝ - mean ĝ - x̂ mean(ĝ ⊙ x̂)) / r      dL/dγ = Σ g ⊙ x̂      dL/dβ = Σ g
#include "nn/norm/layer_norm_kernel.h"

#include "core/kernels/rows.h"

namespace gradus::nn {

using namespace kernels;

// The variance is taken from the centred row, in a second pass: E[x²] - μ² would cancel where |μ| is large.
Tensor LayerNormKernel::forward(const Tensors& in) {
  const int64_t n = n_, rows = in[0].numel() / n;
  Tensor y(in[0].shape(), in[0].dtype());
  mean_ = Tensor(Shape{rows}, y.dtype());
  inverse_root_ = Tensor(Shape{rows}, y.dtype());
  dispatch_real("layer_norm", y.dtype(), [&]<typename T>() {
    const T *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]), *bias = data_or_null<T>(in[2]);
    T *to = y.mutable_data<T>(), *means = mean_.mutable_data<T>(), *inverse_roots = inverse_root_.mutable_data<T>();
    const T eps = static_cast<T>(eps_);
    for_rows(rows, n, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * n;
        const T mean = row_sum(x + i * n, n) / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) row[j] = x[i * n + j] - mean;
        const T inverse = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + eps);
        means[i] = mean;
        inverse_roots[i] = inverse;
        for (int64_t j = 0; j < n; ++j) {
          const T x_hat = row[j] * inverse;
          row[j] = x_hat * (gain != nullptr ? gain[j] : T(1)) + (bias != nullptr ? bias[j] : T(0));
        }
      }
    });
  });
  return y;
}

Tensors LayerNormKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  const int64_t n = n_, rows = in[0].numel() / n;
  const bool affine = in[1].defined() || in[2].defined();
  Tensor dx(in[0].shape(), in[0].dtype()), dgain, dbias;
  dispatch_real("layer_norm", dx.dtype(), [&]<typename T>() {
    const T *from_g = g.data<T>(), *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    const T *means = mean_.data<T>(), *inverse_roots = inverse_root_.data<T>();
    T* to = dx.mutable_data<T>();
    const auto sums = sum_over_rows<T>(rows, n, affine ? 2 * n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = x + i * n, *row_g = from_g + i * n;
        const T mean = means[i], inverse = inverse_roots[i];
        T sum_g = 0, sum_gx = 0;  // Σ ĝ and Σ ĝ ⊙ x̂
#pragma omp simd reduction(+ : sum_g, sum_gx)
        for (int64_t j = 0; j < n; ++j) {
          const T g_hat = row_g[j] * (gain != nullptr ? gain[j] : T(1));
          sum_g += g_hat;
          sum_gx += g_hat * ((row[j] - mean) * inverse);
        }
        const T mean_g = sum_g / static_cast<T>(n), mean_gx = sum_gx / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) {
          const T x_hat = (row[j] - mean) * inverse;
          const T g_hat = row_g[j] * (gain != nullptr ? gain[j] : T(1));
          to[i * n + j] = (g_hat - mean_g - x_hat * mean_gx) * inverse;
        }
        if (!affine) continue;
        for (int64_t j = 0; j < n; ++j) {
          part[j] += row_g[j] * ((row[j] - mean) * inverse);  // dγ
          part[n + j] += row_g[j];                            // dβ
        }
      }
    });
    if (in[1].defined()) dgain = from_sums(sums.data(), in[1].shape());
    if (in[2].defined()) dbias = from_sums(sums.data() + n, in[2].shape());
  });
  return {dx, dgain, dbias};
}

}  // namespace gradus::nn
