#include "core/io/encoding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace gradus::io {
namespace {

template <typename From> void widen_integer(const std::string& raw, Tensor& y) {
  auto* target = y.mutable_data<int64_t>();
  for (std::size_t i = 0; i < raw.size() / sizeof(From); ++i) {
    From value;
    std::memcpy(&value, raw.data() + i * sizeof(From), sizeof(From));
    target[i] = value;
  }
}

void widen_bool(const std::string& raw, Tensor& y) {
  std::transform(raw.begin(), raw.end(), y.mutable_data<int64_t>(), [](char byte) { return byte != 0; });
}

// bfloat16 is the upper half of a float.
void widen_bfloat16(const std::string& raw, Tensor& y) {
  auto* target = static_cast<char*>(y.mutable_bytes());
  std::memset(target, 0, raw.size() * 2);
  for (std::size_t i = 0; i < raw.size(); i += 2) std::memcpy(target + 2 * i + 2, raw.data() + i, 2);
}

// The first one of a dtype is how it is written.
constexpr Encoding kEncodings[] = {
    {"F32", "<f4", 4, DType::f32},
    {"F64", "<f8", 8, DType::f64},
    {"F16", "<f2", 2, DType::f16},
    {"BF16", nullptr, 2, DType::f32, widen_bfloat16},
    {"I64", "<i8", 8, DType::i64},
    {"I32", "<i4", 4, DType::i64, widen_integer<std::int32_t>},
    {"I16", "<i2", 2, DType::i64, widen_integer<std::int16_t>},
    {"I8", "|i1", 1, DType::i64, widen_integer<std::int8_t>},
    {"U32", "<u4", 4, DType::i64, widen_integer<std::uint32_t>},
    {"U16", "<u2", 2, DType::i64, widen_integer<std::uint16_t>},
    {"U8", "|u1", 1, DType::i64, widen_integer<std::uint8_t>},
    {"BOOL", "|b1", 1, DType::i64, widen_bool},
};

}  // namespace

const Encoding* find_encoding(NameOfEncoding format, std::string_view name) {
  for (const Encoding& encoding : kEncodings) {
    if (encoding.*format != nullptr && encoding.*format == name) return &encoding;
  }
  return nullptr;
}

const Encoding& encoding_of(DType dtype) {
  const auto same = [&](const Encoding& encoding) { return encoding.dtype == dtype; };
  return *std::find_if(std::begin(kEncodings), std::end(kEncodings), same);
}

Tensor read_tensor(InputFile& file, const Shape& shape, const Encoding& encoding) {
  Tensor result(shape, encoding.dtype);
  const std::uint64_t bytes = static_cast<std::uint64_t>(result.numel()) * encoding.bytes;
  if (encoding.widen == nullptr) {
    file.read(result.mutable_bytes(), bytes);
  } else {
    encoding.widen(file.read_string(bytes), result);
  }
  return result;
}

std::string names_of_encodings(NameOfEncoding format) {
  std::string names;
  for (const Encoding& encoding : kEncodings) {
    if (encoding.*format != nullptr) names += (names.empty() ? "" : ", ") + std::string(encoding.*format);
  }
  return names;
}

}  // namespace gradus::io
