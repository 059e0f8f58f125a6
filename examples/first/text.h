// What is no formula: the text that the programs from `bytes` on learn from, and pieces of it.
#pragma once

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/core.h"

namespace gradus::first {

// The bytes of the file that the command names, else of Shakespeare's plays, each as a number from 0 to 255: [n] (i64). Ends the
// program, with a sentence, for a file that cannot be read or is shorter than 1,000 bytes.
inline Tensor read_text(int argc, char** argv) {
  const char* root = std::getenv("GRADUS_ROOT");  // set by ./examples/run
  const std::string own = std::string(root != nullptr ? root : ".") + "/examples/data/shakespeare.txt";
  const std::string path = argc > 1 ? argv[1] : own;
  std::vector<int64_t> bytes;
  if (std::filesystem::exists(path) && !std::filesystem::is_directory(path)) {
    std::ifstream file(path, std::ios::binary);
    for (char byte = 0; file.get(byte);) bytes.push_back(static_cast<unsigned char>(byte));
  }
  if (bytes.size() < 1000) {
    fmt::print(stderr, "{} is not a text of 1,000 bytes or more; name one: ./examples/run gpt FILE\n", path);
    std::exit(2);
  }
  return from_vector(bytes, {static_cast<int64_t>(bytes.size())});
}

// [count, length]: pieces of the text, from anywhere.
inline Tensor windows(const Tensor& text, int64_t count, int64_t length) {
  return take(text, randint(0, text.size(0) - length + 1, {count, 1}) + arange(length));
}

}  // namespace gradus::first
