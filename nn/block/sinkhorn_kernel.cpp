#include <cmath>

#include "core/ops/ops.h"
#include "nn/block/sinkhorn.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// #region block-sinkhorn.kernel
// One matrix m [n, n] and, for each round, the n sums of its rows and the n of its columns by which it was divided: with them
// the way back finds every earlier m again.
template <typename T> struct SinkhornMatrix {
  T *m, *sums;
  int64_t n, rounds;

  // m = e^a after all rounds. The first is in logarithms: m holds them until its columns are done.
  void run(const T* a) {
    for (int64_t i = 0; i < n; ++i) {
      const T* row = a + i * n;
      const T max = row_max(row, n);
      T sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += std::exp(row[j] - max);
      for (int64_t j = 0; j < n; ++j) m[i * n + j] = row[j] - max - std::log(sum);
    }
    for (int64_t j = 0; j < n; ++j) {
      T max = m[j], sum = 0;
      for (int64_t i = 1; i < n; ++i) max = m[i * n + j] > max ? m[i * n + j] : max;
      for (int64_t i = 0; i < n; ++i) sum += m[i * n + j] = std::exp(m[i * n + j] - max);
      for (int64_t i = 0; i < n; ++i) m[i * n + j] /= sum;
      sums[n + j] = sum * std::exp(max);
    }
    for (int64_t round = 1; round < rounds; ++round) {
      T *rows = sums + 2 * n * round, *columns = rows + n;
      for (int64_t i = 0; i < n; ++i) {
        rows[i] = row_sum(m + i * n, n);
        for (int64_t j = 0; j < n; ++j) m[i * n + j] /= rows[i];
      }
      add_columns(m, columns);
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) m[i * n + j] /= columns[j];
      }
    }
  }

  // From h = dL/dlog M after the last round, with m there, to dL/dA in h, round by round:
  //   h -= m Σ_i h, and m is what it was before its columns were divided; the same for its rows
  void back(T* h, T* totals) {
    for (int64_t round = rounds - 1; round >= 0; --round) {
      const T *rows = sums + 2 * n * round, *columns = rows + n;
      add_columns(h, totals);
      for (int64_t i = 0; i < n; ++i) {
        T *of_h = h + i * n, *of_m = m + i * n;
        for (int64_t j = 0; j < n; ++j) {
          of_h[j] -= of_m[j] * totals[j];
          of_m[j] *= columns[j];
        }
        const T total = row_sum(of_h, n);
        for (int64_t j = 0; j < n; ++j) of_h[j] -= of_m[j] * total;
        if (round == 0) continue;  // before it there is a, and no m
        for (int64_t j = 0; j < n; ++j) of_m[j] *= rows[i];
      }
    }
  }

  void add_columns(const T* x, T* totals) const {
    for (int64_t j = 0; j < n; ++j) totals[j] = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) totals[j] += x[i * n + j];
    }
  }
};

class SinkhornKernel final : public FastPath {
 public:
  explicit SinkhornKernel(int64_t rounds) : rounds_(rounds) {}

  Tensor forward(const Tensors& in) override {
    const Tensor& a = in[0];
    const int64_t n = a.size(-1), of_sums = 2 * n * rounds_;
    Tensor m(a.shape(), a.dtype());
    sums_ = Tensor({count(a), of_sums}, a.dtype());
    dispatch_real(a.dtype(), "sinkhorn", [&]<typename T>() {
      const T* from = a.data<T>();
      T *to = m.mutable_data<T>(), *sums = sums_.mutable_data<T>();
      for_rows(count(a), n * n * rounds_, [=, rounds = rounds_](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) SinkhornMatrix<T>{to + k * n * n, sums + k * of_sums, n, rounds}.run(from + k * n * n);
      });
    });
    return m;
  }

  Tensors backward(const Tensor& grad, const Tensors&, const Tensor& output) const override {
    const int64_t n = output.size(-1), of_sums = 2 * n * rounds_;
    Tensor h = grad * output, m = output.detached_copy(), sums = sums_;
    dispatch_real(h.dtype(), "sinkhorn", [&]<typename T>() {
      T *to = h.mutable_data<T>(), *of_m = m.mutable_data<T>(), *of_rounds = sums.mutable_data<T>();
      for_rows(count(h), n * n * rounds_, [=, rounds = rounds_](int64_t begin, int64_t end) {
        std::vector<T> totals(static_cast<std::size_t>(n));
        for (int64_t k = begin; k < end; ++k) {
          SinkhornMatrix<T>{of_m + k * n * n, of_rounds + k * of_sums, n, rounds}.back(to + k * n * n, totals.data());
        }
      });
    });
    return {h};
  }

 private:
  static int64_t count(const Tensor& x) { return x.numel() / std::max<int64_t>(x.size(-1) * x.size(-2), 1); }

  int64_t rounds_;
  Tensor sums_;
};
// #endregion block-sinkhorn.kernel

}  // namespace

std::unique_ptr<FastPath> fast::sinkhorn(int64_t rounds) { return std::make_unique<SinkhornKernel>(rounds); }

}  // namespace gradus::nn
