// FileLock: one process at a time, by a lock that ends with its process, however that ends.
#pragma once

#include <filesystem>
#include <string>

#include "core/check.h"

namespace gradus::examples {

class AlreadyLocked : public IoError { using IoError::IoError; };

class FileLock {
 public:
  // Locks a directory that is there, or a file, which is made if it is not. AlreadyLocked with this text if another process has
  // it; IoError for any other reason.
  FileLock(const std::filesystem::path& path, const std::string& taken);
  ~FileLock();
  bool still_at(const std::filesystem::path& path) const;  // Is what is locked what has that name now?
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace gradus::examples
