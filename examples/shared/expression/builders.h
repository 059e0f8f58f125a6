// How a function of expressions is made of an op.
#pragma once

#include <cmath>
#include <string>

#include "core/composites/composites.h"
#include "examples/shared/expression/functions.h"

namespace gradus::examples {

using Function = ExpressionFunction;
using Args = const Tensors&;

// An axis, or a bound: a number that is no part of what is differentiated. `instead` says what else may have been meant.
inline double plain(const Tensor& x, const char* what, const char* instead = "") {
  check<ValueError>(x.numel() == 1 && !x.requires_grad(), "{} must be a number, not a variable or an array{}", what, instead);
  return x.item();
}

inline int axis_of(const Tensor& x, const char* instead = "") {
  const double axis = plain(x, "the axis", instead);
  check<ValueError>(axis == std::floor(axis) && std::abs(axis) <= kMaxRank, "the axis must be a whole number, got {}", axis);
  return static_cast<int>(axis);
}

inline Function unary(const char* name, Tensor (*op)(const Tensor&)) {
  return {name, {"x"}, 1, [op](Args in) { return op(in[0]); }};
}

inline Function binary(const char* name, Tensor (*op)(const Tensor&, const Tensor&)) {
  return {name, {"a", "b"}, 2, [op](Args in) { return op(in[0], in[1]); }};
}

// Over one axis, or over all.
template <typename Op> Function reduction(const char* name, Op op, const char* instead = "") {
  return {name, {"x", "axis"}, 1, [op, instead](Args in) { return op(in[0], in.size() > 1 ? Axes(axis_of(in[1], instead)) : Axes()); }};
}

// Along one axis, the last if none is given.
template <typename Op> Function along(const char* name, Op op) {
  return {name, {"x", "axis"}, 1, [op](Args in) { return op(in[0], in.size() > 1 ? axis_of(in[1]) : -1); }};
}

inline Tensor on_last_axis(Tensor (*f)(const Tensor&), const Tensor& x, int axis) {
  if (normalize_axis(axis, x.rank(), "softmax") == x.rank() - 1) return f(x);
  return transpose(f(transpose(x, axis, -1)), axis, -1);
}

}  // namespace gradus::examples
