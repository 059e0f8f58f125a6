// Safetensors files made by hand, and what comes of reading them.
#pragma once

#include <cstdint>
#include <string>

#include "core/check.h"
#include "core/io/safetensors.h"
#include "tests/core/io/temporary_directory.h"

inline std::string little_endian(std::uint64_t value) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> 8 * i & 0xFF);
  return bytes;
}

inline std::string whole_file(const std::string& header, const std::string& data) { return little_endian(header.size()) + header + data; }

// Reads a file of these bytes.
inline gradus::io::SafeTensors parse(const std::string& bytes) {
  const TemporaryDirectory directory;
  write_bytes(directory.file("x"), bytes);
  return gradus::io::read_safetensors(directory.file("x"));
}

// The message of the IoError that reading such a file throws, or "" if it does not.
inline std::string error_of(const std::string& header, const std::string& data = "") {
  try {
    parse(whole_file(header, data));
  } catch (const gradus::IoError& error) {
    return error.what();
  }
  return "";
}
