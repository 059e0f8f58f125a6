// A pair (a, b) at angle φ becomes (a cos φ - b sin φ, a sin φ + b cos φ); its gradient is turned back, by -φ.
#include "nn/position/rope.h"

#include <algorithm>

#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// The cosines and sines get no gradient. What a head has beyond its w turning numbers is copied.
class RopeKernel final : public FastPath {
 public:
  explicit RopeKernel(RopeLayout layout) : layout_(layout) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  RopeLayout layout_;
};

// #region pos-rope.kernel
// One head: pair k is (x[k·step], x[k·step + distance]), its sine taken `sign` times.
template <int64_t step, typename T>
void turn_pairs(const T* x, T* y, const T* cosine, const T* sine, int64_t pairs, int64_t distance, T sign) {
#pragma omp simd
  for (int64_t k = 0; k < pairs; ++k) {
    const T a = x[k * step], b = x[k * step + distance], s = sign * sine[k];
    y[k * step] = a * cosine[k] - b * s;
    y[k * step + distance] = a * s + b * cosine[k];
  }
}
// #endregion pos-rope.kernel

Tensor turned(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeLayout layout, double sign) {
  Tensor y(x.shape(), x.dtype());
  const int64_t heads = x.size(2), width = x.size(3), pairs = cosines.size(-1);
  const int64_t positions = std::max<int64_t>(cosines.numel() / std::max<int64_t>(pairs, 1), 1);  // T, or B·T
  dispatch_real(x.dtype(), "rope", [&]<typename T>() {
    const T *from = x.data<T>(), *cosine = cosines.data<T>(), *sine = sines.data<T>();
    T* to = y.mutable_data<T>();
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T *in = from + row * width, *c = cosine + row / heads % positions * pairs, *s = sine + row / heads % positions * pairs;
        T* out = to + row * width;
        if (layout == RopeLayout::halves) {
          turn_pairs<1>(in, out, c, s, pairs, pairs, static_cast<T>(sign));
        } else {
          turn_pairs<2>(in, out, c, s, pairs, 1, static_cast<T>(sign));
        }
        std::copy(in + 2 * pairs, in + width, out + 2 * pairs);
      }
    });
  });
  return y;
}

Tensor RopeKernel::forward(const Tensors& in) { return turned(in[0], in[1], in[2], layout_, 1); }

Tensors RopeKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  return {turned(g, in[1], in[2], layout_, -1), {}, {}};
}

}  // namespace

std::unique_ptr<FastPath> fast::rope(RopeLayout layout) { return std::make_unique<RopeKernel>(layout); }

}  // namespace gradus::nn
