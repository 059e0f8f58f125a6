// The drivers of elementwise kernels: y[i] = f(x[i]) and f(a[i], b[i]), with broadcasting.
#pragma once

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/kernels/kernels.h"
#include "core/kernels/strided.h"
#include "core/tensor/half.h"

namespace gradus::kernels {

inline constexpr int64_t kMathGrain = 4096;  // elements a thread should have for exp and its like

// Calls body.template operator()<T>() with float or double. Another dtype is an error of `op`.
template <typename Body> decltype(auto) dispatch_real(DType dtype, OpName op, Body&& body) {
  check<DTypeError>(dtype == DType::f32 || dtype == DType::f64, "{}: needs f32 or f64, got {}; use cast(x, DType::f32)", op, dtype);
  if (dtype == DType::f64) return body.template operator()<double>();
  return body.template operator()<float>();
}

// The same with float, double or int64_t: f16 has been widened to f32.
template <typename Body> void dispatch_wide(DType dtype, Body&& body) {
  dtype == DType::i64 ? body.template operator()<int64_t>() : dispatch_real(dtype, "dispatch_wide", body);
}

// Calls body(elements of x, elements of y): they have one dtype.
template <typename Body> void with_elements(const Tensor& x, Tensor& y, Body&& body) {
  dispatch(x.dtype(), [&]<typename T>() { body(x.data<T>(), y.mutable_data<T>()); });
}

// f16 is widened to f32 for a computation, and its result is rounded once; a mask, where Y is int64_t, is as it is.
template <typename Y = void> Tensor rounded(const Tensor& y) { return std::is_void_v<Y> ? kernels::cast(y, DType::f16) : y; }

template <typename T> Compute<T> load(const T& value) { return static_cast<Compute<T>>(value); }

// Arithmetic in which i64 wraps around at its ends, as NumPy's does. In C++ only unsigned numbers do.
template <typename V> using Wrapping = std::conditional_t<std::is_same_v<V, int64_t>, std::uint64_t, V>;
template <typename V> V plus(V a, V b) { return static_cast<V>(static_cast<Wrapping<V>>(a) + static_cast<Wrapping<V>>(b)); }
template <typename V> V times(V a, V b) { return static_cast<V>(static_cast<Wrapping<V>>(a) * static_cast<Wrapping<V>>(b)); }
template <typename V> V negative(V v) { return static_cast<V>(-static_cast<Wrapping<V>>(v)); }

// The element type of a result: that of the operands, T, or int64_t, that of a mask.
template <typename Y, typename T> using Result = std::conditional_t<std::is_void_v<Y>, T, Y>;

// y = f(x) for arithmetic, which the compiler turns into vector code by itself; where Y is int64_t, a mask.
template <typename Y = void, typename F> Tensor map(const Tensor& x, F f, OpName op = {}) {
  check_defined({{"x", x}}, op);
  if (x.dtype() == DType::f16) return rounded<Y>(map<Y>(wide(x), f, op));
  Tensor y(x.shape(), std::is_void_v<Y> ? x.dtype() : DType::i64, op);
  dispatch_wide(x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    Result<Y, T>* to = y.mutable_data<Result<Y, T>>();
    for_each(x.numel(), 1, [=](int64_t i) { to[i] = static_cast<Result<Y, T>>(f(from[i])); });
  });
  return y;
}

// Calls step(load, store) for each vector of [0, n): load(x) is x[i … i + width), store(y, v) writes v to y[i … i + width). The
// last, partial vector is padded, so that every element goes through the same instructions. An output may be an input.
template <typename T, typename Step> void for_vectors(int64_t n, const Step& step) {
#ifdef XSIMD_NO_SUPPORTED_ARCHITECTURE
  for (int64_t i = 0; i < n; ++i) step([=](const T* x) { return x[i]; }, [=](T* y, T v) { y[i] = v; });
#else
  using Batch = xsimd::batch<T>;
  constexpr auto width = static_cast<int64_t>(Batch::size);
  const int64_t rest = n % width, whole = n - rest;
  for (int64_t i = 0; i < whole; i += width) {
    step([=](const T* x) { return Batch::load_unaligned(x + i); }, [=](T* y, const Batch& v) { v.store_unaligned(y + i); });
  }
  if (rest == 0) return;
  const auto load_padded = [=](const T* x) {
    T padded[width] = {};
    std::copy_n(x + whole, rest, padded);
    return Batch::load_unaligned(padded);
  };
  step(load_padded, [=](T* y, const Batch& v) {
    T padded[width];
    v.store_unaligned(padded);
    std::copy_n(padded, rest, y + whole);
  });
#endif
}

// The type of one number in V, a number or a vector of them.
template <std::floating_point V> V lane_of(V);
template <typename V> typename V::value_type lane_of(V);
template <typename V> using Lane = decltype(lane_of(std::declval<V>()));

// c in every lane.
template <typename V> V splat(double c) { return V(static_cast<Lane<V>>(c)); }

// condition ? yes : no, for one number; for a vector of them the call finds xsimd::select.
template <std::floating_point V> V select(bool condition, V yes, V no) { return condition ? yes : no; }

// erf: of f64 by the standard library, a lane after the other, as xsimd's is off by 60 roundings; of f32 by xsimd, whose erf(∞)
// is NaN: from 6 on it is ±1.
template <typename V> V erf_of(V v) {
  if constexpr (std::is_same_v<Lane<V>, double>) {
    auto lanes = std::bit_cast<std::array<double, sizeof(V) / sizeof(double)>>(v);
    for (double& lane : lanes) lane = std::erf(lane);
    return std::bit_cast<V>(lanes);
  } else {
    return select(v > V(6), V(1), select(v < V(-6), V(-1), xsimd::erf(v)));
  }
}

// xsimd's log, which is wrong for denormal f64: these are scaled by 2⁵⁴ first. (-log 0 stays ∞, log of negatives NaN.)
template <typename V> V log_of(V v) {
  const auto tiny = v < splat<V>(std::numeric_limits<double>::min());  // in f32, 0
  return xsimd::log(select(tiny, v * splat<V>(0x1p54), v)) - select(tiny, splat<V>(37.429947750237048), V(0));
}

// y = f(x) for exp and its like: f takes a number or an xsimd vector of them.
template <typename F> Tensor map_math(const Tensor& x, F f, OpName op = {}) {
  check_floating(x, op);
  if (x.dtype() == DType::f16) return rounded(map_math(wide(x), f, op));
  Tensor y(x.shape(), x.dtype(), op);
  dispatch_real(x.dtype(), op, [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    parallel_for(x.numel(), kMathGrain, [=](int64_t begin, int64_t end) {
      for_vectors<T>(end - begin, [f, part = from + begin, out = to + begin](auto load, auto store) { store(out, f(load(part))); });
    });
  });
  return y;
}

// x as it is read beside an operand of this dtype: a mask, which is i64, takes on the other's.
inline Tensor in_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : kernels::cast(x, dtype); }

// y = f(a, b), broadcast to y's shape. A and Y are the element types of the operands and of the result. Rows step
// through each operand by 1 or by 0; each of these cases has its own loop, which the compiler vectorises.
template <typename A, typename Y, typename F> void zip_into(Tensor& y, const Tensor& a, const Tensor& b, F f) {
  const A *from_a = a.data<A>(), *from_b = b.data<A>();
  Y* to = y.mutable_data<Y>();
  if (a.shape() == b.shape()) {  // the walk would find this too, but its setup outweighs a small tensor's arithmetic
    return for_each(y.numel(), 1, [=](int64_t i) { to[i] = static_cast<Y>(f(from_a[i], from_b[i])); });
  }
  const StridedWalk<2> walk(y.shape(), {broadcast_strides(a.shape(), y.shape()), broadcast_strides(b.shape(), y.shape())});
  const bool step_a = walk.step(0) != 0, step_b = walk.step(1) != 0;
  walk.for_each_row(kGrain, [=](const auto& offsets, int64_t first, int64_t n) {
    const A *u = from_a + offsets[0], *v = from_b + offsets[1];
    const A left = *u, right = *v;
    Y* row = to + first;
    if (step_a && step_b) {
      for (int64_t i = 0; i < n; ++i) row[i] = static_cast<Y>(f(u[i], v[i]));
    } else if (step_a) {
      for (int64_t i = 0; i < n; ++i) row[i] = static_cast<Y>(f(u[i], right));
    } else {
      for (int64_t i = 0; i < n; ++i) row[i] = static_cast<Y>(f(left, v[step_b ? i : 0]));
    }
  });
}

// y = f(a, b), of the operands' dtype, or, where Y is int64_t, a mask.
template <typename Y = void, typename F> Tensor zip(const Tensor& a, const Tensor& b, F f, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  if (computes_in_f32(a, b)) return rounded<Y>(zip<Y>(wide(a), wide(b), f, op));
  if (a.dtype() != b.dtype()) {
    const DType dtype = common_dtype(std::array{a, b}, op);
    return zip<Y>(in_dtype(a, dtype), in_dtype(b, dtype), f, op);
  }
  const bool alike = a.shape() == b.shape();  // then no other Shape is built, which costs more than to add two scalars
  Tensor y(alike ? a.shape() : broadcast_shapes(a.shape(), b.shape(), op), std::is_void_v<Y> ? a.dtype() : DType::i64, op);
  dispatch_wide(a.dtype(), [&]<typename T>() { zip_into<T, Result<Y, T>>(y, a, b, f); });
  return y;
}

}  // namespace gradus::kernels
