// The door to xtensor: look at a tensor as an xtensor array, make a tensor from any xtensor expression.
//
//   #include "core/tensor/xtensor.h"
//   Tensor x = xt::random::randn<float>({3, 4});        // any expression, evaluated on entry
//   auto column_means = xt::mean(x.array<float>(), {0});
//
// Kept out of tensor.h because xtensor's headers cost seconds of compile time.
#pragma once

#if __has_include(<xtensor/containers/xarray.hpp>)  // xtensor 0.26 and later
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#endif

#include <algorithm>

#include "core/tensor/half.h"
#include "core/tensor/observer.h"
#include "core/tensor/tensor.h"

namespace gradus {

// The type of x.array<T>(): a read-only view, which owns nothing and must not outlive the tensor.
template <typename T> struct ArrayOf {
  using type = decltype(xt::adapt(std::declval<const T*>(), std::size_t{}, xt::no_ownership(), std::declval<std::vector<std::size_t>>()));
};

template <typename T> typename ArrayOf<T>::type Tensor::array() const {
  tell(&Observer::read, "array()", *this);
  const std::vector<std::size_t> sizes(shape().begin(), shape().end());
  return xt::adapt(static_cast<const T*>(data<T>()), static_cast<std::size_t>(numel()), xt::no_ownership(), sizes);
}

// The elements keep their type as the dtype: float becomes f32, double f64; integers and bool become i64.
template <typename X, typename> Tensor::Tensor(X&& expression) {
  using Value = typename std::decay_t<X>::value_type;
  using T = std::conditional_t<std::is_integral_v<Value>, int64_t, Value>;
  Shape shape;
  for (auto size : expression.shape()) shape.push_back(static_cast<int64_t>(size));
  *this = Tensor(shape, dtype_of<T>);
  auto* target = mutable_data<T>();
  const auto& values = expression;
  std::transform(values.template cbegin<xt::layout_type::row_major>(), values.template cend<xt::layout_type::row_major>(), target,
                 [](Value value) { return static_cast<T>(value); });
}

}  // namespace gradus
