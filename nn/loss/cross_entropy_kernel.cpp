// With m = max z and S = Σ e^(z_j - m) of a row z: log Σ e^z - z_y = log S - (z_y - m) and softmax(z)_j = e^(z_j - m) / S. m and S
// are kept apart: m + log S would be rounded to a large m.
#include <algorithm>
#include <vector>

#include "nn/loss/cross_entropy.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// Inputs logits [..., V] and targets [...], which get no gradient; one loss per row, 0 where the target is -1.
class CrossEntropyKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  Tensor max_, sum_;  // m and S, one per row
};

Tensor CrossEntropyKernel::forward(const Tensors& in) {
  const Tensor &logits = in[0], &targets = in[1];
  const int64_t classes = logits.size(-1);
  Tensor losses(targets.shape(), logits.dtype());
  max_ = Tensor(targets.shape(), logits.dtype());
  sum_ = Tensor(targets.shape(), logits.dtype());
  dispatch_real(logits.dtype(), "cross_entropy", [&]<typename T>() {
    const T* z = logits.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T *loss = losses.mutable_data<T>(), *maxs = max_.mutable_data<T>(), *sums = sum_.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      std::vector<T> exps(static_cast<std::size_t>(classes));
      for (int64_t i = begin; i < end; ++i) {
        if (target[i] < 0) {
          loss[i] = 0;
          continue;
        }
        const T* row = z + i * classes;
        // #region loss-cross-entropy.kernel
        const T max = maxs[i] = row_max(row, classes);
        exp_row(row, exps.data(), classes, max);
        const T sum = sums[i] = row_sum(exps.data(), classes);
        loss[i] = std::log(sum) - (row[target[i]] - max);
        // #endregion loss-cross-entropy.kernel
      }
    });
  });
  return losses;
}

Tensors CrossEntropyKernel::backward(const Tensor& grad, const Tensors& in, const Tensor&) const {
  const Tensor &logits = in[0], &targets = in[1];
  Tensor dlogits(logits.shape(), logits.dtype());
  const int64_t classes = logits.size(-1);
  dispatch_real(logits.dtype(), "cross_entropy", [&]<typename T>() {
    const T *g = grad.data<T>(), *z = logits.data<T>(), *max = max_.data<T>(), *sum = sum_.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T* to = dlogits.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * classes;
        if (target[i] < 0) {
          std::fill_n(row, classes, T(0));
          continue;
        }
        // #region loss-cross-entropy.kernel.backward
        exp_row(z + i * classes, row, classes, max[i]);
        for (int64_t j = 0; j < classes; ++j) row[j] *= g[i] / sum[i];
        row[target[i]] -= g[i];
        // #endregion loss-cross-entropy.kernel.backward
      }
    });
  });
  return {dlogits, {}};
}

}  // namespace

std::unique_ptr<FastPath> fast::token_losses() { return std::make_unique<CrossEntropyKernel>(); }

}  // namespace gradus::nn
