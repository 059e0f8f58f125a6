#include "core/kernels/gate.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

// The gate a is read in short blocks, so that σ(a) stays in the first-level cache.
constexpr int64_t kBlock = 512;

template <typename V> void sigmoid_row(const V* a, V* s, int64_t n) {
  map_vector(a, s, n, [](auto v) {
    using std::exp;
    using W = decltype(v);
    return W(1) / (W(1) + exp(-v));
  });
}

// Calls body(first, count, σ(a[first … first+count))) over blocks of a, in parallel.
template <typename T, typename Body> void for_sigmoid_blocks(const T* a, int64_t n, const Body& body) {
  parallel_for(n, kMathGrain, [&](int64_t begin, int64_t end) {
    T s[kBlock];
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t count = std::min(kBlock, end - first);
      sigmoid_row(a + first, s, count);
      body(first, count, s);
    }
  });
}

}  // namespace

Tensor silu_gate(const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::f16) return cast(silu_gate(cast(a, DType::f32), cast(b, DType::f32)), DType::f16);
  Tensor y(a.shape(), a.dtype());
  dispatch_real("silu_gate", a.dtype(), [&]<typename T>() {
    const T *gate = a.data<T>(), *value = b.data<T>();
    T* to = y.mutable_data<T>();
    for_sigmoid_blocks(gate, a.numel(), [=](int64_t first, int64_t count, const T* s) {
      for (int64_t i = 0; i < count; ++i) to[first + i] = gate[first + i] * s[i] * value[first + i];
    });
  });
  return y;
}

// dL/db = g ⊙ SiLU(a)      dL/da = g ⊙ b ⊙ σ(a)(1 + a(1 - σ(a)))
std::pair<Tensor, Tensor> silu_gate_backward(const Tensor& grad, const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::f16) {
    const auto [da, db] = silu_gate_backward(cast(grad, DType::f32), cast(a, DType::f32), cast(b, DType::f32));
    return {cast(da, DType::f16), cast(db, DType::f16)};
  }
  Tensor da(a.shape(), a.dtype()), db(a.shape(), a.dtype());
  dispatch_real("silu_gate", a.dtype(), [&]<typename T>() {
    const T *g = grad.data<T>(), *gate = a.data<T>(), *value = b.data<T>();
    T *to_gate = da.mutable_data<T>(), *to_value = db.mutable_data<T>();
    for_sigmoid_blocks(gate, a.numel(), [=](int64_t first, int64_t count, const T* s) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t at = first + i;
        to_value[at] = g[at] * gate[at] * s[i];
        to_gate[at] = g[at] * value[at] * s[i] * (T(1) + gate[at] * (T(1) - s[i]));
      }
    });
  });
  return {da, db};
}

}  // namespace gradus::kernels
