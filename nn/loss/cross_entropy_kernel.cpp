#include "nn/loss/cross_entropy_kernel.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

CrossEntropyTerms widened(const CrossEntropyTerms& terms) {
  return {terms.z_loss, terms.label_smoothing, kernels::widened(terms.class_weights)};
}

// The terms in the type T of the logits, ready to be used row by row.
template <typename T> struct Terms {
  Terms(const CrossEntropyTerms& terms, int64_t classes)
      : z_loss(static_cast<T>(terms.z_loss)),
        sharp(static_cast<T>(1 - terms.label_smoothing)),
        smooth(static_cast<T>(terms.label_smoothing / static_cast<double>(classes))),
        weights(terms.class_weights.defined() ? terms.class_weights.data<T>() : nullptr),
        all_weights(weights == nullptr ? static_cast<T>(classes) : row_sum(weights, classes)) {}

  T weight(int64_t j) const { return weights == nullptr ? T(1) : weights[j]; }
  T weighted_sum(const T* row, int64_t n) const {
    return weights == nullptr ? row_sum(row, n) : row_dot(row, weights, n);
  }

  T z_loss, sharp, smooth;  // c, 1 - ε, ε/V
  const T* weights;
  T all_weights;  // W
};

}  // namespace

CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyTerms& given) {
  if (logits.dtype() == DType::f16) {
    const CrossEntropy result = cross_entropy(widened(logits), targets, widened(given));
    return {cast(result.losses, DType::f16), result.log_sums};
  }
  const int64_t rows = logits.size(0), classes = logits.size(1);
  CrossEntropy result{Tensor(Shape{rows}, logits.dtype()), Tensor(Shape{rows}, logits.dtype())};
  dispatch_real("cross_entropy", logits.dtype(), [&]<typename T>() {
    const Terms<T> terms(given, classes);
    const T* z = logits.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T *loss = result.losses.mutable_data<T>(), *log_sum = result.log_sums.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      std::vector<T> exps(static_cast<std::size_t>(classes));
      for (int64_t i = begin; i < end; ++i) {
        const T* row = z + i * classes;
        const T most = row_max(row, classes);
        exp_row(row, exps.data(), classes, most);
        const T log_z = log_sum[i] = most + std::log(row_sum(exps.data(), classes));
        loss[i] = 0;
        if (target[i] < 0) continue;
        loss[i] = terms.weight(target[i]) * (terms.sharp * (log_z - row[target[i]]) + terms.z_loss * log_z * log_z);
        if (terms.smooth > 0)
          loss[i] += terms.smooth * (terms.all_weights * log_z - terms.weighted_sum(row, classes));
      }
    });
  });
  return result;
}

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& targets, const Tensor& log_sums,
                              const CrossEntropyTerms& given) {
  if (logits.dtype() == DType::f16) {
    return cast(cross_entropy_backward(widened(grad), widened(logits), targets, log_sums, widened(given)),
                DType::f16);
  }
  Tensor dlogits(logits.shape(), logits.dtype());
  const int64_t classes = logits.size(1);
  dispatch_real("cross_entropy", logits.dtype(), [&]<typename T>() {
    const Terms<T> terms(given, classes);
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
        const T weight = terms.weight(target[i]);
        const T scale = weight * (terms.sharp + 2 * terms.z_loss * log_sum[i]) + terms.smooth * terms.all_weights;
        for (int64_t j = 0; j < classes; ++j) row[j] *= g[i] * scale;
        if (terms.smooth > 0) {
          for (int64_t j = 0; j < classes; ++j) row[j] -= g[i] * terms.smooth * terms.weight(j);
        }
        row[target[i]] -= g[i] * terms.sharp * weight;
      }
    });
  });
  return dlogits;
}

}  // namespace gradus::kernels
