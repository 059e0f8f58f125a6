// Scalar: a number of any C++ type as an operand: x * 2, x / count, eq(x, 0).
#pragma once

#include <type_traits>

namespace gradus {

struct Scalar {
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T number) : value(static_cast<double>(number)) {}
  double value;
};

}  // namespace gradus
