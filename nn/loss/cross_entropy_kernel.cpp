// With W = Σ w, all sums over the classes j, m = max z and S = Σ e^(z_j - m), for a row z with target y:
//
//   logZ = m + log S,  logZ - z_j = log S - (z_j - m),  softmax(z)_j = e^(z_j - m) / S
//   ℓ = (1 - ε) w_y (logZ - z_y) + ε/V Σ w_j (logZ - z_j) + c w_y logZ²
//   dℓ/dz = ((1 - ε) w_y + ε/V W + 2c w_y logZ) softmax(z) - ε/V w - (1 - ε) w_y onehot(y)
//
// m and S are kept apart: m + log S would be rounded to a large m.
#include "nn/loss/cross_entropy.h"

#include <vector>

#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// Inputs logits [N, V], targets [N] (a negative one is not counted) and class weights [V] or undefined, which get no
// gradient; one loss per row, 0 where not counted.
class CrossEntropyKernel final : public FastPath {
 public:
  explicit CrossEntropyKernel(const TokenLossTerms& terms) : terms_(terms) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  TokenLossTerms terms_;
  Tensor max_, sum_;  // m and S, one per row
};

// The constants of the formula in the type T of the logits.
template <typename T> struct Terms {
  Terms(const TokenLossTerms& terms, const Tensor& class_weights, int64_t classes)
      : z_loss(static_cast<T>(terms.z_loss)),
        sharp(static_cast<T>(1 - terms.label_smoothing)),
        smooth(static_cast<T>(terms.label_smoothing / static_cast<double>(classes))),
        weights(data_or_null<T>(class_weights)),
        all_weights(weights == nullptr ? static_cast<T>(classes) : row_sum(weights, classes)) {}

  T weight(int64_t j) const { return weights == nullptr ? T(1) : weights[j]; }
  // Σ w_j (z_j - m)
  T weighted_sum(const T* row, int64_t n, T max) const {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < n; ++j) sum += weight(j) * (row[j] - max);
    return sum;
  }

  T z_loss, sharp, smooth;  // c, 1 - ε, ε/V
  const T* weights;
  T all_weights;  // W
};

Tensor CrossEntropyKernel::forward(const Tensors& in) {
  const Tensor &logits = in[0], &targets = in[1];
  const int64_t rows = logits.size(0), classes = logits.size(1);
  Tensor losses(Shape{rows}, logits.dtype());
  max_ = Tensor(Shape{rows}, logits.dtype());
  sum_ = Tensor(Shape{rows}, logits.dtype());
  dispatch_real(logits.dtype(), [&]<typename T>() {
    const Terms<T> terms(terms_, in[2], classes);
    const T* z = logits.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T *loss = losses.mutable_data<T>(), *maxs = max_.mutable_data<T>(), *sums = sum_.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      std::vector<T> exps(static_cast<std::size_t>(classes));
      for (int64_t i = begin; i < end; ++i) {
        const T* row = z + i * classes;
        // #region loss-cross-entropy.kernel
        const T max = maxs[i] = row_max(row, classes);
        exp_row(row, exps.data(), classes, max);
        const T sum = sums[i] = row_sum(exps.data(), classes), log_sum = std::log(sum), log_z = max + log_sum;
        loss[i] = 0;
        if (target[i] < 0) continue;
        const T z_y = row[target[i]] - max;
        loss[i] = terms.weight(target[i]) * (terms.sharp * (log_sum - z_y) + terms.z_loss * log_z * log_z);
        if (terms.smooth > 0) {
          loss[i] += terms.smooth * (terms.all_weights * log_sum - terms.weighted_sum(row, classes, max));
        }
        // #endregion loss-cross-entropy.kernel
      }
    });
  }, "cross_entropy");
  return losses;
}

Tensors CrossEntropyKernel::backward(const Tensor& grad, const Tensors& in, const Tensor&) const {
  const Tensor &logits = in[0], &targets = in[1];
  Tensor dlogits(logits.shape(), logits.dtype());
  const int64_t classes = logits.size(1);
  dispatch_real(logits.dtype(), [&]<typename T>() {
    const Terms<T> terms(terms_, in[2], classes);
    const T *g = grad.data<T>(), *z = logits.data<T>(), *max = max_.data<T>(), *sum = sum_.data<T>();
    const int64_t* target = targets.data<int64_t>();
    T* to = dlogits.mutable_data<T>();
    for_rows(logits, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * classes;
        if (target[i] < 0) {
          std::fill(row, row + classes, T(0));
          continue;
        }
        // #region loss-cross-entropy.kernel.backward
        exp_row(z + i * classes, row, classes, max[i]);
        const T weight = terms.weight(target[i]), log_z = max[i] + std::log(sum[i]);
        const T scale = weight * (terms.sharp + 2 * terms.z_loss * log_z) + terms.smooth * terms.all_weights;
        for (int64_t j = 0; j < classes; ++j) row[j] *= g[i] * scale / sum[i];
        if (terms.smooth > 0) {
          for (int64_t j = 0; j < classes; ++j) row[j] -= g[i] * terms.smooth * terms.weight(j);
        }
        row[target[i]] -= g[i] * terms.sharp * weight;
        // #endregion loss-cross-entropy.kernel.backward
      }
    });
  }, "cross_entropy");
  return {dlogits, {}, {}};
}

}  // namespace

std::unique_ptr<FastPath> fast::token_losses(const TokenLossTerms& terms) { return std::make_unique<CrossEntropyKernel>(terms); }

}  // namespace gradus::nn
