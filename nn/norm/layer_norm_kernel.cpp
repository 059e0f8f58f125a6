// Layer norm row by row, with the letters of formula::layer_norm and its gradient.
#include <utility>

#include "nn/norm/layer_norm.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// Σ a(j) and Σ b(j), the range split in halves as in sum_of: one pass over what both read.
template <typename V, typename A, typename B> std::pair<V, V> sums_of(int64_t first, int64_t last, A a, B b) {
  constexpr int64_t block = 256;
  if (last - first > block) {
    const int64_t middle = first + (last - first) / 2;
    const auto left = sums_of<V>(first, middle, a, b), right = sums_of<V>(middle, last, a, b);
    return {left.first + right.first, left.second + right.second};
  }
  V sum_a = 0, sum_b = 0;
#pragma omp simd reduction(+ : sum_a, sum_b)
  for (int64_t j = first; j < last; ++j) {
    sum_a += a(j);
    sum_b += b(j);
  }
  return {sum_a, sum_b};
}

class LayerNormKernel final : public FastPath {
 public:
  LayerNormKernel(int64_t n, double eps) : n_(n), eps_(eps) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  int64_t n_;
  double eps_;
  Tensor mean_, rest_, one_over_r_;  // one per row; μ is mean + rest
};

// The variance is taken from the centred row: E[x²] - μ² would cancel where |μ| is large. There the mean is rounded, too, by
// more than the row may spread: so the mean of the centred row, `rest`, is subtracted too.
Tensor LayerNormKernel::forward(const Tensors& in) {
  const int64_t n = n_, rows = in[0].numel() / n;
  Tensor y(in[0].shape(), in[0].dtype());
  for (Tensor* saved : {&mean_, &rest_, &one_over_r_}) *saved = Tensor(Shape{rows}, y.dtype());
  dispatch_real(y.dtype(), "layer_norm", [&]<typename T>() {
    const T *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]), *bias = data_or_null<T>(in[2]);
    T *to = y.mutable_data<T>(), *means = mean_.mutable_data<T>(), *rests = rest_.mutable_data<T>();
    T* one_over_rs = one_over_r_.mutable_data<T>();
    const T eps = static_cast<T>(eps_);
    for_rows(rows, n, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* row = to + i * n;
        const T mean = row_sum(x + i * n, n) / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) row[j] = x[i * n + j] - mean;
        const T rest = row_sum(row, n) / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) row[j] -= rest;
        const T one_over_r = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + eps);
        means[i] = mean;
        rests[i] = rest;
        one_over_rs[i] = one_over_r;
        for (int64_t j = 0; j < n; ++j) {
          const T x_hat = row[j] * one_over_r;
          row[j] = x_hat * (gain != nullptr ? gain[j] : T(1)) + (bias != nullptr ? bias[j] : T(0));
        }
      }
    });
  });
  return y;
}

Tensors LayerNormKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  const int64_t n = n_, rows = in[0].numel() / n;
  const bool any_sums = in[1].defined() || in[2].defined();
  Tensor dx(in[0].shape(), in[0].dtype()), dgain, dbias;
  dispatch_real(dx.dtype(), "layer_norm", [&]<typename T>() {
    const T *from_g = g.data<T>(), *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    const T *means = mean_.data<T>(), *rests = rest_.data<T>(), *one_over_rs = one_over_r_.data<T>();
    T* to = dx.mutable_data<T>();
    const auto sums = sum_over_rows<T>(rows, n, any_sums ? 2 * n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = x + i * n, *row_g = from_g + i * n, mean = means[i], rest = rests[i], one_over_r = one_over_rs[i];
        // #region norm-layer.kernel
        const auto x_hat = [=](int64_t j) { return (row[j] - mean - rest) * one_over_r; };
        const auto g_hat = [=](int64_t j) { return row_g[j] * (gain != nullptr ? gain[j] : T(1)); };
        const auto [sum_g_hat, sum_g_hat_x_hat] = sums_of<T>(0, n, g_hat, [=](int64_t j) { return g_hat(j) * x_hat(j); });
        const T mean_g_hat = sum_g_hat / static_cast<T>(n), mean_g_hat_x_hat = sum_g_hat_x_hat / static_cast<T>(n);
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = (g_hat(j) - mean_g_hat - x_hat(j) * mean_g_hat_x_hat) * one_over_r;
        if (!any_sums) continue;
        for (int64_t j = 0; j < n; ++j) {
          part[j] += row_g[j] * x_hat(j);  // dL/dγ
          part[n + j] += row_g[j];         // dL/dβ
        }
        // #endregion norm-layer.kernel
      }
    });
    if (in[1].defined()) dgain = from_sums(sums.data(), in[1].shape());
    if (in[2].defined()) dbias = from_sums(sums.data() + n, in[2].shape());
  });
  return {dx, dgain, dbias};
}

}  // namespace

std::unique_ptr<FastPath> fast::layer_norm(int64_t n, double eps) { return std::make_unique<LayerNormKernel>(n, eps); }

}  // namespace gradus::nn
