#include "core/kernels/cross_entropy.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets, double z_loss) {
  if (logits.dtype() == DType::f16) {
    const CrossEntropy result = cross_entropy(cast(logits, DType::f32), targets, z_loss);
    return {cast(result.losses, DType::f16), result.log_sums};
  }
  const int64_t rows = logits.size(0), classes = logits.size(1);
  CrossEntropy result{Tensor(Shape{rows}, logits.dtype()), Tensor(Shape{rows}, logits.dtype())};
  dispatch_real("cross_entropy", logits.dtype(), [&]<typename T>() {
    const T* z = logits.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T *loss = result.losses.mutable_data<T>(), *log_sum = result.log_sums.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      std::vector<T> exps(static_cast<std::size_t>(classes));
      for (int64_t i = begin; i < end; ++i) {
        const T* row = z + i * classes;
        const T most = row_max(row, classes);
        exp_row(row, exps.data(), classes, most);
        log_sum[i] = most + std::log(row_sum(exps.data(), classes));
        loss[i] = target[i] < 0 ? T(0)
                                : log_sum[i] - row[target[i]] + static_cast<T>(z_loss) * log_sum[i] * log_sum[i];
      }
    });
  });
  return result;
}

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& targets, const Tensor& log_sums,
                              double z_loss) {
  if (logits.dtype() == DType::f16) {
    const auto wide = [](const Tensor& t) { return cast(t, DType::f32); };
    return cast(cross_entropy_backward(wide(grad), wide(logits), targets, log_sums, z_loss), DType::f16);
  }
  Tensor dlogits(logits.shape(), logits.dtype());
  const int64_t classes = logits.size(1);
  dispatch_real("cross_entropy", logits.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *z = logits.data<T>(), *log_sum = log_sums.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T* to = dlogits.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * classes;
        if (target[i] < 0) {
          std::fill(row, row + classes, T(0));
          continue;
        }
        exp_row(z + i * classes, row, classes, log_sum[i]);  // softmax = e^(z - logZ)
        const T scale = g[i] * (T(1) + 2 * static_cast<T>(z_loss) * log_sum[i]);
        for (int64_t j = 0; j < classes; ++j) row[j] *= scale;
        row[target[i]] -= g[i];
      }
    });
  });
  return dlogits;
}

}  // namespace gradus::kernels
