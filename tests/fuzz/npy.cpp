#include "core/io/npy.h"

#include "core/check.h"
#include "tests/fuzz/target.h"

using namespace gradus;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory directory;
  static const std::string path = directory.file("given"), written = directory.file("written");
  write_bytes(path, fuzz::text_of(data, size));
  Tensor given;
  try {
    given = io::read_npy(path);
  } catch (const IoError& error) {
    fuzz::require(std::string(error.what()).rfind(path + ": ", 0) == 0, "the message begins with the path");
    return 0;
  }
  io::write_npy(written, given);
  fuzz::require(fuzz::same_bits(given, io::read_npy(written)), "what was written is read again");
  return 0;
}
