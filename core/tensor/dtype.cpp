#include "core/tensor/dtype.h"

#include <fmt/format.h>

#include "core/tensor/check.h"

namespace gradus {

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return 4;
    case DType::f64: return 8;
    case DType::f16: return 2;
    case DType::i64: return 8;
  }
  return 0;
}

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return "f32";
    case DType::f64: return "f64";
    case DType::f16: return "f16";
    case DType::i64: return "i64";
  }
  return "?";
}

DType dtype_from_name(std::string_view name) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64}) {
    if (name == name_of(dtype)) return dtype;
  }
  throw ValueError(fmt::format("dtype: unknown name '{}'; expected f32, f64, f16 or i64", name));
}

}  // namespace gradus

auto fmt::formatter<gradus::DType>::format(gradus::DType dtype, fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::formatter<std::string_view>::format(gradus::name_of(dtype), context);
}
