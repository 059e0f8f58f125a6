// With r = √(mean(x²) + ε) and ĝ = g ⊙ γ:
//
//   y = x / r ⊙ γ      dL/dx = (ĝ - x mean(ĝ ⊙ x) / r²) / r      dL/dγ = Σ g ⊙ x / r
#include "nn/norm/rms_norm_kernel.h"

#include "core/kernels/rows.h"

namespace gradus::nn {

using namespace kernels;

Tensor RmsNormKernel::forward(const Tensors& in) {
  const int64_t n = in[0].size(-1), rows = row_count(in[0]);
  Tensor y(in[0].shape(), in[0].dtype());
  inverse_root_ = Tensor(Shape{rows}, y.dtype());
  dispatch_real("rms_norm", y.dtype(), [&]<typename T>() {
    const T *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    T *to = y.mutable_data<T>(), *inverse_roots = inverse_root_.mutable_data<T>();
    const T eps = static_cast<T>(eps_);
    for_rows(rows, n, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = x + i * n;
        const T inverse = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + eps);
        inverse_roots[i] = inverse;
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = row[j] * inverse * (gain != nullptr ? gain[j] : T(1));
      }
    });
  });
  return y;
}

Tensors RmsNormKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  const int64_t n = in[0].size(-1), rows = row_count(in[0]);
  Tensor dx(in[0].shape(), in[0].dtype()), dgain;
  dispatch_real("rms_norm", dx.dtype(), [&]<typename T>() {
    const T *from_g = g.data<T>(), *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    const T* inverse_roots = inverse_root_.data<T>();
    T* to = dx.mutable_data<T>();
    const auto sums = sum_over_rows<T>(rows, n, gain != nullptr ? n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = x + i * n, *row_g = from_g + i * n, inverse = inverse_roots[i];
        T sum_gx = 0;  // Σ ĝ ⊙ x
#pragma omp simd reduction(+ : sum_gx)
        for (int64_t j = 0; j < n; ++j) sum_gx += row_g[j] * row[j] * (gain != nullptr ? gain[j] : T(1));
        const T along_x = sum_gx / static_cast<T>(n) * inverse * inverse;  // mean(ĝ ⊙ x) / r²
        for (int64_t j = 0; j < n; ++j) {
          const T g_hat = row_g[j] * (gain != nullptr ? gain[j] : T(1));
          to[i * n + j] = (g_hat - row[j] * along_x) * inverse;
        }
        if (gain == nullptr) continue;
        for (int64_t j = 0; j < n; ++j) part[j] += row_g[j] * row[j] * inverse;
      }
    });
    if (gain != nullptr) dgain = from_sums(sums.data(), in[1].shape());
  });
  return {dx, dgain};
}

}  // namespace gradus::nn
