// Comparisons and selections. A mask is an i64 tensor of zeros and ones.
#include <cmath>

#include "core/kernels/elementwise.h"
#include "core/kernels/kernels.h"

namespace gradus::kernels {
namespace {

template <typename F> Tensor test(const char* op, const Tensor& x, F f) {
  check_defined(op, {{"x", x}});
  Tensor y(x.shape(), DType::i64, op);
  dispatch(x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    int64_t* to = y.mutable_data<int64_t>();
    parallel_for(x.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = f(load(from[i])) ? 1 : 0;
    });
  });
  return y;
}

template <typename F> Tensor compare(const char* op, Tensor a, Tensor b, F f) {
  check_defined(op, {{"a", a}, {"b", b}});
  if (f16_beside_number(a, b)) return compare(op, kernels::cast(a, DType::f32), kernels::cast(b, DType::f32), f);
  promote(op, a, b);
  Tensor y = broadcast_result(op, a, b, DType::i64);
  dispatch(a.dtype(), [&]<typename T>() { zip_into<T, int64_t>(y, a, b, f); });
  return y;
}

template <typename F> bool any(const Tensor& x, F f) {
  return dispatch(x.dtype(), [&]<typename T>() {
    const T* first = x.data<T>();
    return std::any_of(first, first + x.numel(), [&](const T& value) { return f(load(value)); });
  });
}

constexpr auto is_nan = [](auto v) { return v != v; };
constexpr auto is_inf = [](auto v) { return std::isinf(static_cast<double>(v)); };

}  // namespace

Tensor isnan(const Tensor& x) { return test("isnan", x, is_nan); }
Tensor isinf(const Tensor& x) { return test("isinf", x, is_inf); }
bool has_nan(const Tensor& x) { return any(x, is_nan); }
bool has_inf(const Tensor& x) { return any(x, is_inf); }

Tensor logical_not(const Tensor& x) {
  return test("logical_not", x, [](auto v) { return v == decltype(v)(0); });
}

Tensor equal(const Tensor& a, const Tensor& b) {
  return compare("eq", a, b, [](auto u, auto v) { return u == v; });
}

Tensor less(const Tensor& a, const Tensor& b) {
  return compare("lt", a, b, [](auto u, auto v) { return u < v; });
}

Tensor less_equal(const Tensor& a, const Tensor& b) {
  return compare("le", a, b, [](auto u, auto v) { return u <= v; });
}

Tensor logical_and(const Tensor& a, const Tensor& b) {
  return compare("logical_and", a, b, [](auto u, auto v) { return u != decltype(u)(0) && v != decltype(v)(0); });
}

Tensor logical_or(const Tensor& a, const Tensor& b) {
  return compare("logical_or", a, b, [](auto u, auto v) { return u != decltype(u)(0) || v != decltype(v)(0); });
}

void check_choice(const char* op, const Tensor& mask, const Tensor& a, const Tensor& b) {
  check_defined(op, {{"mask", mask}, {"a", a}, {"b", b}});
  check<DTypeError>(mask.dtype() == DType::i64, "{}: the mask must be i64, got {}", op, mask.dtype());
  check_dtypes(op, a, b);
}

Tensor where(const Tensor& mask, const Tensor& left, const Tensor& right) {
  check_choice("where", mask, left, right);
  Tensor a = left, b = right;
  promote("where", a, b);
  Tensor y(broadcast_shapes("where", mask.shape(), broadcast_shapes("where", a.shape(), b.shape())), a.dtype(), "where");
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
      for (int64_t i = 0; i < n; ++i) {
        to[first + i] = c[i * walk.step(0)] != 0 ? u[i * walk.step(1)] : v[i * walk.step(2)];
      }
    });
  });
  return y;
}

}  // namespace gradus::kernels
