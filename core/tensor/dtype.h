// DType: the element type of a tensor, known at run time.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/check.h"

namespace gradus {

enum class DType : std::uint8_t {
  f32,  // the default
  f64,  // for checking gradients
  f16,  // storage only: kernels read it as f32, compute, and round once on writing
  i64,  // ids, counts, and masks of zeros and ones
};

std::size_t size_of(DType dtype);                             // bytes of one element
std::string_view name_of(DType dtype);                        // such as "f32"
DType dtype_from_name(std::string_view name);                 // ValueError for an unknown name
void check_holds(DType dtype, double value, OpName op = {});  // DTypeError if dtype is i64 and value is not a whole number of 64 bits

constexpr bool is_floating(DType dtype) { return dtype != DType::i64; }  // can it have a gradient?

// The DType of a C++ element type; half.h adds the one for f16.
template <typename T> inline constexpr DType dtype_of = T::no_such_element_type;
template <> inline constexpr DType dtype_of<float> = DType::f32;
template <> inline constexpr DType dtype_of<double> = DType::f64;
template <> inline constexpr DType dtype_of<std::int64_t> = DType::i64;

}  // namespace gradus

// Prints the name.
template <> struct fmt::formatter<gradus::DType> : fmt::formatter<fmt::string_view> {
  auto format(gradus::DType dtype, fmt::format_context& context) const -> fmt::format_context::iterator;
};
