// The header of a safetensors file, a JSON text: what it says, before any of it is believed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/tensor/shape.h"

namespace gradus::io {

inline constexpr const char* kMetadata = "__metadata__";  // the one name that no tensor can have
inline constexpr std::size_t kMostNames = 200'000;        // of tensors and of metadata; a header has no more in any use

struct SafeTensorsHeader {
  struct Entry {
    std::string dtype;
    Shape shape;
    std::uint64_t begin = 0, end = 0;  // of its bytes, counted from the end of the header; begin <= end
  };
  std::map<std::string, Entry> tensors = {};
  std::map<std::string, std::string> metadata = {};
};

// Nothing is kept but the result: a JSON document of the header would need twenty times its memory. IoError, with the path
// and the tensor, for what has not this form, and for more than kMostNames.
SafeTensorsHeader parse_header(const std::string& path, const std::string& text);

}  // namespace gradus::io
