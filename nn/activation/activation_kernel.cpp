#include "nn/activation/activation_kernel.h"

#include "nn/activation/curves.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {

Tensor activation(const char* op, const Curve& f, const Tensor& x) {
  Tensor y;
  with_curve(f, [&](auto curve) { y = map_math(op, x, [=](auto v) { return curve(v).value; }); });
  return y;
}

Tensor activation_backward(const char* op, const Curve& f, const Tensor& grad, const Tensor& x) {
  if (x.dtype() == DType::f16) {
    return cast(activation_backward(op, f, cast(grad, DType::f32), cast(x, DType::f32)), DType::f16);
  }
  Tensor dx(x.shape(), x.dtype());
  dispatch_real(op, x.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *from = x.data<T>();
    T* to = dx.mutable_data<T>();
    with_curve(f, [=, n = x.numel()](auto curve) {
      parallel_for(n, kMathGrain, [=](int64_t begin, int64_t end) {
        for_vectors<T>(end - begin, [=](auto load, auto store) {
          store(to + begin, load(g + begin) * curve(load(from + begin)).slope);
        });
      });
    });
  });
  return dx;
}

Tensor swish_rate(const Tensor& x, double beta) {
  return map_math("swish", x, [beta](auto v) {
    using V = decltype(v);
    const V s = sigmoid_of(damped(v, number<V>(beta)));
    return damped(v * v, s * (V(1) - s));
  });
}

}  // namespace gradus::kernels
