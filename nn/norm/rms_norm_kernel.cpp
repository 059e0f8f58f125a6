// RMSNorm row by row, with the letters of formula::rms_norm and its gradient.
#include "nn/norm/rms_norm.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

class RmsNormKernel final : public FastPath {
 public:
  explicit RmsNormKernel(double eps) : eps_(eps) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  double eps_;
  Tensor one_over_r_;  // one per row
};

Tensor RmsNormKernel::forward(const Tensors& in) {
  const int64_t n = in[0].size(-1), rows = row_count(in[0]);
  Tensor y(in[0].shape(), in[0].dtype());
  one_over_r_ = Tensor(Shape{rows}, y.dtype());
  dispatch_real(y.dtype(), "rms_norm", [&]<typename T>() {
    const T *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    T *to = y.mutable_data<T>(), *one_over_rs = one_over_r_.mutable_data<T>();
    const T eps = static_cast<T>(eps_);
    for_rows(rows, n, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = x + i * n;
        const T one_over_r = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + eps);
        one_over_rs[i] = one_over_r;
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = row[j] * one_over_r * (gain != nullptr ? gain[j] : T(1));
      }
    });
  });
  return y;
}

Tensors RmsNormKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  const int64_t n = in[0].size(-1), rows = row_count(in[0]);
  Tensor dx(in[0].shape(), in[0].dtype()), dgain;
  dispatch_real(dx.dtype(), "rms_norm", [&]<typename T>() {
    const T *from_g = g.data<T>(), *x = in[0].data<T>(), *gain = data_or_null<T>(in[1]);
    const T* one_over_rs = one_over_r_.data<T>();
    T* to = dx.mutable_data<T>();
    const auto sums = sum_over_rows<T>(rows, n, gain != nullptr ? n : 0, [=](int64_t begin, int64_t end, T* part) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = x + i * n, *row_g = from_g + i * n, one_over_r = one_over_rs[i];
        // #region norm-rms.kernel
        const auto g_hat = [=](int64_t j) { return row_g[j] * (gain != nullptr ? gain[j] : T(1)); };
        T sum_gx = 0;  // Σ ĝ ⊙ x
#pragma omp simd reduction(+ : sum_gx)
        for (int64_t j = 0; j < n; ++j) sum_gx += g_hat(j) * row[j];
        const T along_x = sum_gx / static_cast<T>(n) * one_over_r * one_over_r;  // mean(ĝ ⊙ x) / r²
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = (g_hat(j) - row[j] * along_x) * one_over_r;
        if (gain == nullptr) continue;
        for (int64_t j = 0; j < n; ++j) part[j] += row_g[j] * row[j] * one_over_r;  // dL/dγ
        // #endregion norm-rms.kernel
      }
    });
    if (gain != nullptr) dgain = from_sums(sums.data(), in[1].shape());
  });
  return {dx, dgain};
}

}  // namespace

std::unique_ptr<FastPath> fast::rms_norm(double eps) { return std::make_unique<RmsNormKernel>(eps); }

}  // namespace gradus::nn
