#include "nn/activation/softmax.h"

#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// y with row(from + i, to + i) called for every row: row reads one of x, and writes one of y, of n values.
template <typename Row> Tensor map_rows(const Tensor& x, OpName op, const Row& row) {
  Tensor y(x.shape(), x.dtype());
  dispatch_real(x.dtype(), op, [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    const int64_t n = x.size(-1);
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin * n; i < end * n; i += n) row(from + i, to + i, n);
    });
  });
  return y;
}

// The same from two tensors of one shape.
template <typename Row> Tensor map_rows(const Tensor& a, const Tensor& b, OpName op, const Row& row) {
  Tensor y(a.shape(), a.dtype());
  dispatch_real(a.dtype(), op, [&]<typename T>() {
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = y.mutable_data<T>();
    const int64_t n = a.size(-1);
    for_rows(a, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin * n; i < end * n; i += n) row(from_a + i, from_b + i, to + i, n);
    });
  });
  return y;
}

// #region act-softmax.kernel
class SoftmaxKernel final : public FastPath {
 public:
  // y = e^(x - max) / Σ e^(x - max)
  Tensor forward(const Tensors& in) override {
    return map_rows(in[0], "softmax", []<typename T>(const T* x, T* y, int64_t n) {
      exp_row(x, y, n, row_max(x, n));
      const T scale = T(1) / row_sum(y, n);
      for (int64_t j = 0; j < n; ++j) y[j] *= scale;
    });
  }

  // dL/dx = y ⊙ (g - Σ g ⊙ y)
  Tensors backward(const Tensor& grad, const Tensors&, const Tensor& output) const override {
    return {map_rows(grad, output, "softmax", []<typename T>(const T* g, const T* y, T* dx, int64_t n) {
      const T sum_gy = row_dot(g, y, n);
      for (int64_t j = 0; j < n; ++j) dx[j] = y[j] * (g[j] - sum_gy);
    })};
  }
};
// #endregion act-softmax.kernel

// #region act-log-softmax.kernel
class LogSoftmaxKernel final : public FastPath {
 public:
  // y = x - max - log Σ e^(x - max); y holds the exponentials in between.
  Tensor forward(const Tensors& in) override {
    return map_rows(in[0], "log_softmax", []<typename T>(const T* x, T* y, int64_t n) {
      const T max = row_max(x, n);
      exp_row(x, y, n, max);
      const T log_sum = std::log(row_sum(y, n));
      for (int64_t j = 0; j < n; ++j) y[j] = x[j] - max - log_sum;
    });
  }

  // dL/dx = g - e^y Σ g
  Tensors backward(const Tensor& grad, const Tensors&, const Tensor& output) const override {
    return {map_rows(grad, output, "log_softmax", []<typename T>(const T* g, const T* y, T* dx, int64_t n) {
      const T sum_g = row_sum(g, n);
      exp_row(y, dx, n, T(0));
      for (int64_t j = 0; j < n; ++j) dx[j] = g[j] - dx[j] * sum_g;
    })};
  }
};
// #endregion act-log-softmax.kernel

// #region act-solu.kernel
class SoluKernel final : public FastPath {
 public:
  // y = x ⊙ p
  Tensor forward(const Tensors& in) override {
    p_ = SoftmaxKernel().forward(in);
    return kernels::mul(in[0], p_);
  }

  // dL/dx = g ⊙ p + what softmax makes of dL/dp = g ⊙ x
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    const Tensor through_p = SoftmaxKernel().backward(kernels::mul(g, in[0]), in, p_)[0];
    return {kernels::add(kernels::mul(g, p_), through_p)};
  }

 private:
  Tensor p_;
};
// #endregion act-solu.kernel

}  // namespace

std::unique_ptr<FastPath> fast::softmax() { return std::make_unique<SoftmaxKernel>(); }
std::unique_ptr<FastPath> fast::log_softmax() { return std::make_unique<LogSoftmaxKernel>(); }
std::unique_ptr<FastPath> fast::solu() { return std::make_unique<SoluKernel>(); }

}  // namespace gradus::nn
