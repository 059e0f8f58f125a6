#include "core/kernels/elementwise.h"

namespace gradus::kernels {

Tensor wide(const Tensor& x) { return x.defined() && x.dtype() == DType::f16 ? cast(x, DType::f32) : x; }

// clang-format off: tables of ops, a line each
Tensor neg(const Tensor& x) { return map(x, [](auto v) { return negative(v); }); }
Tensor abs(const Tensor& x) { return map(x, [](auto v) { return v < 0 ? negative(v) : plus(v, decltype(v)(0)); }); }  // -0 + 0 is 0
// 0 and NaN are themselves; NaN is not below 0, and passes relu.
Tensor sign(const Tensor& x) { return map(x, [](auto v) { return v > 0 ? decltype(v)(1) : v < 0 ? decltype(v)(-1) : v; }); }
Tensor relu(const Tensor& x) { return map(x, [](auto v) { return v < 0 ? decltype(v)(0) : v; }); }

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
Tensor sigmoid(const Tensor& x) { return map_math(x, [](auto v) { return decltype(v)(1) / (decltype(v)(1) + xsimd::exp(-v)); }); }

Tensor cast(const Tensor& x, DType dtype) {
  Tensor y(shape_of(x), dtype, "cast");
  dispatch(x.dtype(), [&]<typename From>() {
    dispatch(dtype, [&]<typename To>() {
      const From* from = x.data<From>();
      To* to = y.mutable_data<To>();
      for_each(x.numel(), 1, [=](int64_t i) { to[i] = convert<To>(load(from[i])); });
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

Tensor maximum(const Tensor& a, const Tensor& b) { return zip(a, b, [](auto u, auto v) { return u > v || u != u ? u : v; }); }
Tensor minimum(const Tensor& a, const Tensor& b) { return zip(a, b, [](auto u, auto v) { return u < v || u != u ? u : v; }); }

void add_into(Tensor& sum, const Tensor& x) {
  with_elements(x, sum, [&]<typename T>(const T* from, T* to) {
    for_each(x.numel(), 1, [=](int64_t i) { to[i] = static_cast<T>(plus(load(to[i]), load(from[i]))); });
  });
}

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
// clang-format on

Tensor where(const Tensor& mask, const Tensor& left, const Tensor& right) {
  check_choice(mask, left, right);
  const DType dtype = common_dtype(std::array{left, right});
  const Tensor a = in_dtype(left, dtype), b = in_dtype(right, dtype);
  Tensor y(broadcast_shapes(mask.shape(), broadcast_shapes(a.shape(), b.shape())), a.dtype(), "where");
  const auto strides = [&](const Tensor& x) { return broadcast_strides(x.shape(), y.shape()); };
  const StridedWalk<3> walk(y.shape(), {strides(mask), strides(a), strides(b)});
  dispatch(a.dtype(), [&]<typename T>() {
    const int64_t* from_c = mask.data<int64_t>();
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = y.mutable_data<T>();
    const bool fills = walk.step(0) == 1 && walk.step(1) == 0 && walk.step(2) == 1;  // as masked_fill() does
    walk.for_each_row(kGrain, [=](const auto& offsets, int64_t first, int64_t n) {
      const int64_t* c = from_c + offsets[0];
      const T *u = from_a + offsets[1], *v = from_b + offsets[2], filling = *u;
      T* row = to + first;
      if (fills) {
        for (int64_t i = 0; i < n; ++i) row[i] = c[i] != 0 ? filling : v[i];
      } else {
        for (int64_t i = 0; i < n; ++i) row[i] = c[i * walk.step(0)] != 0 ? u[i * walk.step(1)] : v[i * walk.step(2)];
      }
    });
  });
  return y;
}

}  // namespace gradus::kernels
