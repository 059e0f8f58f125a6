#include "core/kernels/optimize.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

void adamw(Tensor& parameter, const Tensor& grad, Tensor& first, Tensor& second, const AdamStep& step) {
  dispatch_real("adamw", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *m = first.mutable_data<T>(), *v = second.mutable_data<T>();
    const T* g = grad.data<T>();
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2), eps = static_cast<T>(step.eps);
    const T keep = static_cast<T>(1 - step.lr * step.decay), rate = static_cast<T>(step.lr / step.correction1);
    const T root_correction = static_cast<T>(1 / std::sqrt(step.correction2));
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        m[i] = beta1 * m[i] + (T(1) - beta1) * g[i];
        v[i] = beta2 * v[i] + (T(1) - beta2) * g[i] * g[i];
        p[i] = p[i] * keep - rate * m[i] / (std::sqrt(v[i]) * root_correction + eps);
      }
    });
  });
}

// Blocks of a fixed size, each summed in its own dtype and their sums in f64.
double sum_of_squares(const Tensor& x) {
  constexpr int64_t block = 4096;
  const int64_t blocks = (x.numel() + block - 1) / block;
  std::vector<double> parts(static_cast<std::size_t>(blocks));
  dispatch_real("sum_of_squares", x.dtype(), [&]<typename T>() {
    const T* values = x.data<T>();
    double* part = parts.data();
    parallel_for(blocks, 8, [=, n = x.numel()](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const T* start = values + b * block;
        part[b] = static_cast<double>(row_dot(start, start, std::min(block, n - b * block)));
      }
    });
  });
  return row_sum(parts.data(), blocks);
}

void scale(Tensor& x, double factor) {
  dispatch_real("scale", x.dtype(), [&]<typename T>() {
    T* values = x.mutable_data<T>();
    parallel_for(x.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) values[i] *= static_cast<T>(factor);
    });
  });
}

}  // namespace gradus::kernels
