#include "examples/shared/training/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gradus::examples {

FileLock::FileLock(const std::filesystem::path& path, const std::string& taken)
    : descriptor_(
          ::open(path.c_str(), (std::filesystem::is_directory(path) ? O_RDONLY : O_CREAT | O_RDWR) | O_CLOEXEC | O_NONBLOCK, 0666)) {
  check<IoError>(descriptor_ >= 0, "cannot open {}: {}", path.string(), std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(descriptor_);
  if (reason == EWOULDBLOCK) throw AlreadyLocked(taken);
  throw IoError(fmt::format("cannot lock {}: {}", path.string(), std::strerror(reason)));
}

bool FileLock::still_at(const std::filesystem::path& path) const {
  struct stat locked = {}, there = {};
  return ::fstat(descriptor_, &locked) == 0 && ::stat(path.c_str(), &there) == 0 && locked.st_dev == there.st_dev &&
         locked.st_ino == there.st_ino;
}

FileLock::~FileLock() { ::close(descriptor_); }

}  // namespace gradus::examples
