#include "core/tensor/dtype.h"

#include <fmt/format.h>

#include <cmath>

namespace gradus {

std::size_t size_of(DType dtype) { return dtype == DType::f16 ? 2 : dtype == DType::f32 ? 4 : 8; }

std::string_view name_of(DType dtype) {
  constexpr std::string_view names[] = {"f32", "f64", "f16", "i64"};
  return names[static_cast<std::size_t>(dtype)];
}

DType dtype_from_name(std::string_view name) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64}) {
    if (name == name_of(dtype)) return dtype;
  }
  throw ValueError(fmt::format("dtype: unknown name '{}'; expected f32, f64, f16 or i64", name));
}

void check_holds(DType dtype, double value, OpName op) {
  const bool whole = value == std::floor(value) && value >= -0x1p63 && value < 0x1p63;
  check<DTypeError>(is_floating(dtype) || whole,
                    "{}: an i64 tensor cannot hold {}; take a floating dtype, for a tensor by cast(x, DType::f32)", op, value);
}

}  // namespace gradus

auto fmt::formatter<gradus::DType>::format(gradus::DType dtype, fmt::format_context& context) const -> fmt::format_context::iterator {
  return fmt::formatter<fmt::string_view>::format(gradus::name_of(dtype), context);
}
