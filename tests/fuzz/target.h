// What the fuzz targets share. A target is a function that libFuzzer calls with bytes that it made up. For any bytes it must
// end in one of two ways: with an error of the documented class, or with a value that is the same after it was written and
// read again.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/tensor/tensor.h"
#include "tests/core/io/temporary_directory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gradus::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Must hold for every input. If it does not, libFuzzer ends the run and keeps the input.
inline void require(bool holds, const std::string& claim) {
  if (holds) return;
  fmt::print(stderr, "does not hold: {}\n", claim);
  std::abort();
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  const std::size_t bytes = static_cast<std::size_t>(a.numel()) * size_of(a.dtype());
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.bytes(), b.bytes(), bytes) == 0;
}

}  // namespace gradus::fuzz
