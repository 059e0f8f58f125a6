#include "nn/position/rope_kernel.h"

#include <algorithm>

#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

// One head's u to v: pair k is (u[k·step], u[k·step + apart]).
template <int64_t step, typename T>
void turn_row(const T* u, T* v, const T* cosine, const T* sine, int64_t pairs, int64_t apart, T direction) {
  for (int64_t k = 0; k < pairs; ++k) {
    const T a = u[k * step], b = u[k * step + apart], s = direction * sine[k];
    v[k * step] = a * cosine[k] - b * s;
    v[k * step + apart] = a * s + b * cosine[k];
  }
}

}  // namespace

Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeTurn turn) {
  if (x.dtype() == DType::f16) {
    return cast(rope(widened(x), widened(cosines), widened(sines), turn), DType::f16);
  }
  Tensor y(x.shape(), x.dtype());
  const int64_t heads = x.size(2), width = x.size(3), pairs = cosines.size(-1);
  const int64_t positions = std::max<int64_t>(cosines.numel() / std::max<int64_t>(pairs, 1), 1);  // T, or B·T
  dispatch_real("rope", x.dtype(), [&]<typename T>() {
    const T *from = x.data<T>(), *cosine = cosines.data<T>(), *sine = sines.data<T>();
    T* to = y.mutable_data<T>();
    const T direction = turn.back ? T(-1) : T(1);
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t t = row / heads % positions;
        const T *u = from + row * width, *c = cosine + t * pairs, *s = sine + t * pairs;
        T* v = to + row * width;
        if (turn.halves) {
          turn_row<1>(u, v, c, s, pairs, pairs, direction);
        } else {
          turn_row<2>(u, v, c, s, pairs, 1, direction);
        }
        std::copy(u + 2 * pairs, u + width, v + 2 * pairs);
      }
    });
  });
  return y;
}

}  // namespace gradus::kernels
