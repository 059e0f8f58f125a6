// LineFile: a file of lines that one process adds to, and notices if it is no longer alone with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gradus::examples {

class LineFile {
 public:
  explicit LineFile(std::filesystem::path path);  // as it is now; it need not be there

  const std::filesystem::path& path() const { return path_; }

  // IoError if the file is not as long as this process left it: it, or its directory, was moved, removed or replaced, or another
  // process writes it too.
  void check_in_place() const;
  // In the file once this returns, even if the process is killed. IoError if the disk is full, and as of check_in_place().
  void add(const std::string& line);
  void replace(const std::string& text);  // all of it, whole or not at all; the same errors

 private:
  std::filesystem::path path_;
  std::uintmax_t bytes_;
};

}  // namespace gradus::examples
