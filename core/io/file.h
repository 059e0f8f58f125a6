// Files read with every length checked, and written whole or not at all.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

namespace gradus::io {

// A regular file, read from front to back. Every failure is an IoError that names the path (or says that it is empty).
class InputFile {
 public:
  explicit InputFile(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t remaining() const { return remaining_; }  // bytes not read yet

  void read(void* target, std::uint64_t bytes);  // exactly `bytes` bytes; IoError if there are fewer
  std::string read_string(std::uint64_t bytes);

 private:
  std::string path_;
  std::ifstream stream_;
  std::uint64_t remaining_ = 0;
};

// A file that appears under its name only when it is complete: the bytes go to a temporary file in the same
// directory, which commit() renames over the name. Without commit(), or after any failure (IoError), the temporary
// file is removed and what had the name before is untouched.
class OutputFile {
 public:
  // IoError unless the path can be created or is a regular file, and is not where stdout or stderr goes.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* source, std::uint64_t bytes);
  void finish();  // no more bytes: all are on the disk, so that of several files none takes its name before all are written
  void commit();  // the last call: finished, the file takes its name

 private:
  void create_temporary();
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

void write_file(const std::string& path, const std::string& text);  // as an OutputFile: whole, or not at all

// Removes from a directory the temporary files of OutputFiles whose process was killed, if the file's name `is_ours`.
void remove_abandoned(const std::string& directory, const std::function<bool(const std::string& name)>& is_ours);

}  // namespace gradus::io
