#include "core/kernels/rms_norm.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

Tensor wide(const Tensor& x) { return x.defined() && x.dtype() == DType::f16 ? cast(x, DType::f32) : x; }

// dγ = Σ g ⊙ x / r: blocks of rows are summed side by side, then the blocks, so that the order of additions, and
// with it every bit, is the same for any number of threads.
template <typename T>
void gain_gradient(const T* g, const T* x, const T* inverse_root, T* dgain, int64_t rows, int64_t n) {
  constexpr int64_t height = 64;
  const int64_t blocks = (rows + height - 1) / height;
  std::vector<T> parts(static_cast<std::size_t>(blocks * n));
  T* first = parts.data();
  parallel_for(blocks, kGrain / (height * n) + 1, [=](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      T* part = first + block * n;
      for (int64_t i = block * height; i < std::min((block + 1) * height, rows); ++i) {
        for (int64_t j = 0; j < n; ++j) part[j] += g[i * n + j] * x[i * n + j] * inverse_root[i];
      }
    }
  });
  std::fill(dgain, dgain + n, T(0));
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t j = 0; j < n; ++j) dgain[j] += parts[static_cast<std::size_t>(block * n + j)];
  }
}

}  // namespace

RmsNorm rms_norm(const Tensor& x, const Tensor& gain, double eps) {
  if (x.dtype() == DType::f16) {
    const RmsNorm result = rms_norm(cast(x, DType::f32), wide(gain), eps);
    return {cast(result.y, DType::f16), result.inverse_root};
  }
  const int64_t n = x.size(-1);
  RmsNorm result{Tensor(x.shape(), x.dtype()), Tensor(Shape{row_count(x)}, x.dtype())};
  dispatch_real("rms_norm", x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    T *to = result.y.mutable_data<T>(), *inverse_root = result.inverse_root.mutable_data<T>();
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = from + i * n;
        const T inverse = T(1) / std::sqrt(row_dot(row, row, n) / static_cast<T>(n) + static_cast<T>(eps));
        inverse_root[i] = inverse;
        for (int64_t j = 0; j < n; ++j) to[i * n + j] = row[j] * inverse * (scale != nullptr ? scale[j] : T(1));
      }
    });
  });
  return result;
}

RmsNormGradients rms_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& gain, const Tensor& inverse_root) {
  if (x.dtype() == DType::f16) {
    const RmsNormGradients d = rms_norm_backward(wide(grad), wide(x), wide(gain), inverse_root);
    return {cast(d.x, DType::f16), gain.defined() ? cast(d.gain, DType::f16) : Tensor()};
  }
  const int64_t n = x.size(-1), rows = row_count(x);
  RmsNormGradients result{Tensor(x.shape(), x.dtype()), gain.defined() ? Tensor(gain.shape(), x.dtype()) : Tensor()};
  dispatch_real("rms_norm", x.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *from = x.data<T>(), *inverse = inverse_root.data<T>();
    const T* scale = gain.defined() ? gain.data<T>() : nullptr;
    T* to = result.x.mutable_data<T>();
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T *row = from + i * n, *row_g = g + i * n;
        T along = 0;  // Σ ĝ ⊙ x
#pragma omp simd reduction(+ : along)
        for (int64_t j = 0; j < n; ++j) along += row_g[j] * row[j] * (scale != nullptr ? scale[j] : T(1));
        const T pull = along / static_cast<T>(n) * inverse[i] * inverse[i];
        for (int64_t j = 0; j < n; ++j) {
          const T through = row_g[j] * (scale != nullptr ? scale[j] : T(1));
          to[i * n + j] = (through - row[j] * pull) * inverse[i];
        }
      }
    });
    if (gain.defined()) gain_gradient(g, from, inverse, result.gain.mutable_data<T>(), rows, n);
  });
  return result;
}

}  // namespace gradus::kernels
