// half: the element type behind DType::f16 (IEEE 754 binary16), and `dispatch` from DType to C++ type.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

// xtl's half names the floating-point exceptions; a libc that knows none (WebAssembly's) leaves the names out.
#if defined(FE_ALL_EXCEPT) && FE_ALL_EXCEPT == 0
#define FE_INVALID 0
#define FE_DIVBYZERO 0
#define FE_OVERFLOW 0
#define FE_UNDERFLOW 0
#define FE_INEXACT 0
#endif
#include <xtl/xhalf_float.hpp>

#include "core/check.h"
#include "core/tensor/dtype.h"

namespace gradus {

// An element of f16.
using half = xtl::half_float;
template <> inline constexpr DType dtype_of<half> = DType::f16;

// The type a kernel computes in: f16 is widened to f32, all others are themselves.
template <typename T> using Compute = std::conditional_t<std::is_same_v<T, half>, float, T>;

// The f32 next to v on the side of 0, its last bit set unless it is v itself: rounded once more, to f16, it gives the f16
// nearest to v, as f32 has more than two bits to spare (rounding to odd: Boldo and Melquiond, 2008).
inline float round_to_odd(double v) {
  const auto nearest = static_cast<float>(v);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(nearest) > std::abs(v)) --bits;
  return std::bit_cast<float>(nearest == v ? bits : bits | 1);
}

// A number as an element of type T, rounded once. ValueError, naming `op`, where i64 has none: for NaN, ±∞ and what is beyond
// ±2⁶³.
template <typename T, typename V> T convert(V value, OpName op = "cast") {
  if constexpr (std::is_same_v<T, std::int64_t> && std::is_floating_point_v<V>) {
    check<ValueError>(value >= V(-0x1p63) && value < V(0x1p63), "{}: i64 cannot hold {}", op, value);
  }
  if constexpr (std::is_same_v<T, half> && std::is_same_v<V, double>) return static_cast<half>(round_to_odd(value));
  return static_cast<T>(static_cast<Compute<T>>(value));
}

// Calls body.template operator()<T>() with the C++ type of `dtype`: once, at a kernel's entry.
template <typename Body> decltype(auto) dispatch(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::f64: return body.template operator()<double>();
    case DType::f16: return body.template operator()<half>();
    case DType::i64: return body.template operator()<std::int64_t>();
    case DType::f32: break;
  }
  return body.template operator()<float>();
}

}  // namespace gradus
