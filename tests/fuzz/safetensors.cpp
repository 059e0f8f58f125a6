#include "core/io/safetensors.h"

#include <algorithm>

#include "core/check.h"
#include "tests/fuzz/target.h"

using namespace gradus;

namespace {

bool same(const io::SafeTensors& a, const io::SafeTensors& b) {
  const auto same_item = [](const auto& x, const auto& y) { return x.first == y.first && fuzz::same_bits(x.second, y.second); };
  return a.metadata == b.metadata && std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(), same_item);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory directory;
  static const std::string path = directory.file("given");
  static const std::string first = directory.file("first"), second = directory.file("second");
  write_bytes(path, fuzz::text_of(data, size));
  io::SafeTensors given;
  try {
    given = io::read_safetensors(path);
  } catch (const IoError& error) {
    fuzz::require(std::string(error.what()).rfind(path + ": ", 0) == 0, "the message begins with the path");
    return 0;
  }
  io::write_safetensors(first, given);
  const io::SafeTensors again = io::read_safetensors(first);
  fuzz::require(same(given, again), "what was written is read again");
  io::write_safetensors(second, again);
  fuzz::require(read_bytes(first) == read_bytes(second), "the same contents are the same bytes");
  return 0;
}
