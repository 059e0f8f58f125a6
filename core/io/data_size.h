// How many bytes of a file a tensor's elements take.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/check.h"
#include "core/tensor/shape.h"

namespace gradus::io {

// The size of the data, for elements of this many bytes; nothing for a shape that no tensor can have.
inline std::optional<std::uint64_t> data_size(const Shape& shape, std::size_t element) {
  try {
    const auto count = static_cast<std::uint64_t>(shape.numel());
    if (count <= std::numeric_limits<std::uint64_t>::max() / element) return count * element;
  } catch (const ShapeError&) {
  }
  return std::nullopt;
}

}  // namespace gradus::io
