#include "nn/feed_forward/gate_kernel.h"

#include "nn/activation/curves.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {

Tensor gate(const char* op, const Curve& f, const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::f16) return cast(gate(op, f, cast(a, DType::f32), cast(b, DType::f32)), DType::f16);
  Tensor y(a.shape(), a.dtype());
  dispatch_real(op, a.dtype(), [&]<typename T>() {
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = y.mutable_data<T>();
    with_curve(f, [=, n = a.numel()](auto curve) {
      parallel_for(n, kMathGrain, [=](int64_t begin, int64_t end) {
        for_vectors<T>(end - begin, [=](auto load, auto store) {
          store(to + begin, curve(load(from_a + begin)).value * load(from_b + begin));
        });
      });
    });
  });
  return y;
}

std::pair<Tensor, Tensor> gate_backward(const char* op, const Curve& f, const Tensor& grad, const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::f16) {
    const auto [da, db] = gate_backward(op, f, cast(grad, DType::f32), cast(a, DType::f32), cast(b, DType::f32));
    return {cast(da, DType::f16), cast(db, DType::f16)};
  }
  Tensor da(a.shape(), a.dtype()), db(a.shape(), a.dtype());
  dispatch_real(op, a.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *from_a = a.data<T>(), *from_b = b.data<T>();
    T *to_a = da.mutable_data<T>(), *to_b = db.mutable_data<T>();
    with_curve(f, [=, n = a.numel()](auto curve) {
      parallel_for(n, kMathGrain, [=](int64_t begin, int64_t end) {
        for_vectors<T>(end - begin, [=](auto load, auto store) {
          const auto at = curve(load(from_a + begin));
          const auto along = load(g + begin);
          store(to_a + begin, along * load(from_b + begin) * at.slope);
          store(to_b + begin, along * at.value);
        });
      });
    });
  });
  return {da, db};
}

}  // namespace gradus::kernels
