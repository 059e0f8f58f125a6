// What is no formula: the text that the programs from `bytes` on learn from, and pieces of it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/core.h"

namespace gradus::first {

// The bytes of the file that the command names, else of Shakespeare's plays, each as a number from 0 to 255: [n] (i64).
// IoError for a file that cannot be read, or is shorter than 1,000 bytes.
inline Tensor read_text(int argc, char** argv) {
  const char* root = std::getenv("GRADUS_ROOT");  // set by ./examples/run
  const std::string own = std::string(root != nullptr ? root : ".") + "/examples/data/shakespeare.txt";
  const std::string path = argc > 1 ? argv[1] : own;
  std::ifstream file(path, std::ios::binary);
  const std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
  check<IoError>(bytes.size() >= 1000, "{} is not a text of 1,000 bytes or more", path);
  return from_vector(std::vector<int64_t>(bytes.begin(), bytes.end()), {static_cast<int64_t>(bytes.size())});
}

// [count, length]: pieces of the text, from anywhere.
inline Tensor windows(const Tensor& text, int64_t count, int64_t length) {
  return take(text, randint(0, text.size(0) - length + 1, {count, 1}) + arange(length));
}

}  // namespace gradus::first
