// A file that may change, and a folder that one tutor at a time looks after.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace gradus::exercises {

// What tells a saved file from the one before: an editor writes into it, or puts another in its place.
struct Stamp {
  bool there = false;
  std::int64_t seconds = 0, nanoseconds = 0;
  off_t size = 0;
  ino_t inode = 0;
  bool operator==(const Stamp&) const = default;
};
Stamp stamp_of(const std::filesystem::path& file);

// ValueError if another tutor has the folder, with its process. A folder that cannot be written into has none.
class OnlyTutor {
 public:
  explicit OnlyTutor(const std::filesystem::path& folder);
  ~OnlyTutor();
  OnlyTutor(const OnlyTutor&) = delete;
  OnlyTutor& operator=(const OnlyTutor&) = delete;

 private:
  int file_ = -1;
};

}  // namespace gradus::exercises
