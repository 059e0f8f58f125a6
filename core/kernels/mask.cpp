// Comparisons and selections. A mask is an i64 tensor of zeros and ones.
#include <algorithm>
#include <cmath>

#include "core/kernels/elementwise.h"
#include "core/kernels/kernels.h"

namespace gradus::kernels {
namespace {

template <typename F> bool any(const Tensor& x, F f) {
  return dispatch(x.dtype(), [&]<typename T>() {
    const T* first = x.data<T>();
    return std::any_of(first, first + x.numel(), [&](const T& value) { return f(static_cast<double>(value)); });
  });
}

}  // namespace

bool has_nan(const Tensor& x) { return any(x, [](double v) { return std::isnan(v); }); }
bool has_inf(const Tensor& x) { return any(x, [](double v) { return std::isinf(v); }); }

Tensor isnan(const Tensor& x) { return map<int64_t>(x, [](auto v) { return v != v; }); }
Tensor isinf(const Tensor& x) { return map<int64_t>(x, [](auto v) { return std::isinf(static_cast<double>(v)); }); }
Tensor isfinite(const Tensor& x) { return map<int64_t>(x, [](auto v) { return std::isfinite(static_cast<double>(v)); }); }
Tensor logical_not(const Tensor& x) { return map<int64_t>(x, [](auto v) { return v == 0; }); }

Tensor eq(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u == v; }); }
Tensor ne(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u != v; }); }
Tensor lt(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u < v; }); }
Tensor le(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u <= v; }); }
Tensor gt(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u > v; }); }
Tensor ge(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u >= v; }); }
Tensor logical_and(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u != 0 && v != 0; }); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return zip<int64_t>(a, b, [](auto u, auto v) { return u != 0 || v != 0; }); }

void check_choice(const Tensor& mask, const Tensor& a, const Tensor& b, OpName op) {
  check_defined({{"mask", mask}, {"a", a}, {"b", b}}, op);
  check<DTypeError>(mask.dtype() == DType::i64, "{}: the mask must be i64, got {}", op, mask.dtype());
}

Tensor where(const Tensor& mask, const Tensor& left, const Tensor& right) {
  check_choice(mask, left, right);
  Tensor a = left, b = right;
  promote(a, b);
  Tensor y(broadcast_shapes(mask.shape(), broadcast_shapes(a.shape(), b.shape())), a.dtype(), "where");
  const Shape& shape = y.shape();
  const StridedWalk<3> walk(shape, {broadcast_strides(mask.shape(), shape), broadcast_strides(a.shape(), shape),
                                    broadcast_strides(b.shape(), shape)});
  dispatch(a.dtype(), [&]<typename T>() {
    const int64_t* from_c = mask.data<int64_t>();
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = y.mutable_data<T>();
    walk.for_each_row(kGrain, [&](const auto& offsets, int64_t first, int64_t n) {
      const int64_t* c = from_c + offsets[0];
      const T *u = from_a + offsets[1], *v = from_b + offsets[2];
      for (int64_t i = 0; i < n; ++i) to[first + i] = c[i * walk.step(0)] != 0 ? u[i * walk.step(1)] : v[i * walk.step(2)];
    });
  });
  return y;
}

}  // namespace gradus::kernels
