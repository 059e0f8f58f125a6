#include "core/kernels/rope.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {

Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, bool back) {
  if (x.dtype() == DType::f16) {
    const auto wide = [](const Tensor& t) { return cast(t, DType::f32); };
    return cast(rope(wide(x), wide(cosines), wide(sines), back), DType::f16);
  }
  Tensor y(x.shape(), x.dtype());
  const int64_t heads = x.size(2), half_width = x.size(3) / 2;
  const int64_t places = cosines.numel() / half_width;  // T, or B·T
  dispatch_real("rope", x.dtype(), [&]<typename T>() {
    const T *from = x.data<T>(), *cosine = cosines.data<T>(), *sine = sines.data<T>();
    T* to = y.mutable_data<T>();
    const T direction = back ? T(-1) : T(1);
    for_rows(x, [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t t = row / heads % places;
        const T *u = from + row * 2 * half_width, *c = cosine + t * half_width, *s = sine + t * half_width;
        T* v = to + row * 2 * half_width;
        for (int64_t k = 0; k < half_width; ++k) {
          v[2 * k] = u[2 * k] * c[k] - direction * u[2 * k + 1] * s[k];
          v[2 * k + 1] = direction * u[2 * k] * s[k] + u[2 * k + 1] * c[k];
        }
      }
    });
  });
  return y;
}

}  // namespace gradus::kernels
