#include "core/kernels/elementwise.h"

#include <cmath>

#include "core/kernels/kernels.h"

namespace gradus::kernels {

void check_floating(const Tensor& x, OpName op) {
  check_defined({{"x", x}}, op);
  check<DTypeError>(is_floating(x.dtype()), "{}: needs a floating dtype, got {}; use cast(x, DType::f32) first", op, x.dtype());
}

void check_floating(const Tensor& a, const Tensor& b, OpName op) {
  check_defined({{"a", a}, {"b", b}}, op);
  check<DTypeError>(is_floating(a.dtype()) || is_floating(b.dtype()),
                    "{}: needs a floating dtype, got {} and {}; use cast(x, DType::f32) first", op, a.dtype(), b.dtype());
}

void check_operands(const Tensor& a, const Tensor& b, OpName op) {
  check_defined({{"a", a}, {"b", b}}, op);
  if (a.dtype() != b.dtype() && !in_f32(a, b)) common_dtype({a, b}, op);
  if (a.shape() != b.shape()) broadcast_shapes(a.shape(), b.shape(), op).numel(op);
}

Tensor neg(const Tensor& x) { return map(x, [](auto v) { return negative(v); }); }

Tensor abs(const Tensor& x) {
  return map(x, [](auto v) {
    if constexpr (std::is_integral_v<decltype(v)>) return v < 0 ? negative(v) : v;
    else return std::abs(v);
  });
}

Tensor sign(const Tensor& x) {  // 0 and NaN are themselves
  return map(x, [](auto v) { return v > 0 ? decltype(v)(1) : v < 0 ? decltype(v)(-1) : v; });
}

Tensor relu(const Tensor& x) {  // NaN is not below 0, and passes
  return map(x, [](auto v) { return v < 0 ? decltype(v)(0) : v; });
}

Tensor sqrt(const Tensor& x) {  // xsimd's for 32-bit numbers on Arm is not rounded right, and √∞ is NaN
  check_floating(x);
  return map(x, [](auto v) { return std::sqrt(v); });
}

Tensor exp(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::exp(v); }); }
Tensor expm1(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::expm1(v); }); }
Tensor log(const Tensor& x) { return map_math(x, [](auto v) { return log_of(v); }); }
Tensor log1p(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::log1p(v); }); }
Tensor sin(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::sin(v); }); }
Tensor cos(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::cos(v); }); }
Tensor tanh(const Tensor& x) { return map_math(x, [](auto v) { return xsimd::tanh(v); }); }
Tensor erf(const Tensor& x) { return map_math(x, [](auto v) { return erf_of(v); }); }

// exp(-v) overflows to inf for large negative v, and 1/(1+inf) = 0 is right: stable on both sides.
Tensor sigmoid(const Tensor& x) {
  return map_math(x, [](auto v) { return decltype(v)(1) / (decltype(v)(1) + xsimd::exp(-v)); });
}

Tensor cast(const Tensor& x, DType dtype) {
  Tensor y(shape_of(x), dtype, "cast");
  dispatch(x.dtype(), [&]<typename From>() {
    dispatch(dtype, [&]<typename To>() {
      const From* from = x.data<From>();
      To* to = y.mutable_data<To>();
      for_each_element(x.numel(), [=](int64_t i) { to[i] = convert<To>(load(from[i])); });
    });
  });
  return y;
}

Tensor add(const Tensor& a, const Tensor& b) { return zip(a, b, [](auto u, auto v) { return plus(u, v); }); }
Tensor mul(const Tensor& a, const Tensor& b) { return zip(a, b, [](auto u, auto v) { return times(u, v); }); }

Tensor div(const Tensor& a, const Tensor& b) {
  check_floating(a, b);
  return zip(a, b, [](auto u, auto v) { return u / v; });
}

Tensor pow(const Tensor& a, const Tensor& b) {
  check_floating(a, b);
  return zip(a, b, [](auto u, auto v) { return static_cast<decltype(u)>(std::pow(u, v)); });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return zip(a, b, [](auto u, auto v) { return u > v || u != u ? u : v; });
}

Tensor minimum(const Tensor& a, const Tensor& b) {
  return zip(a, b, [](auto u, auto v) { return u < v || u != u ? u : v; });
}

void add_into(Tensor& sum, const Tensor& x) {
  dispatch(sum.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = sum.mutable_data<T>();
    for_each_element(x.numel(), [=](int64_t i) { to[i] = static_cast<T>(plus(load(to[i]), load(from[i]))); });
  });
}

}  // namespace gradus::kernels
