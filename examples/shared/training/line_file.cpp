#include "examples/shared/training/line_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/check.h"
#include "core/io/file.h"

namespace gradus::examples {
namespace {

std::uintmax_t bytes_in(const std::filesystem::path& path) {
  std::error_code gone;
  const std::uintmax_t bytes = std::filesystem::file_size(path, gone);
  return gone ? 0 : bytes;
}

}  // namespace

LineFile::LineFile(std::filesystem::path path) : path_(std::move(path)), bytes_(bytes_in(path_)) {}

void LineFile::check_in_place() const {
  check<IoError>(bytes_in(path_) == bytes_,
                 "{}: was moved, removed or replaced, or another process writes it; nothing more is written there", path_.string());
}

void LineFile::add(const std::string& line) {
  check_in_place();
  std::ofstream file(path_, std::ios::app);
  file << line + "\n" << std::flush;
  check<IoError>(file.good(), "cannot write {}: {}", path_.string(), std::strerror(errno));
  bytes_ += line.size() + 1;
}

void LineFile::replace(const std::string& text) {
  check_in_place();
  io::write_file(path_.string(), text);
  bytes_ = text.size();
}

}  // namespace gradus::examples
