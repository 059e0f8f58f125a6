#include "examples/exercises/tutor/watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/check.h"
#include "examples/exercises/tutor/folder.h"

namespace gradus::exercises {

Stamp stamp_of(const std::filesystem::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {true, found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino};
}

OnlyTutor::OnlyTutor(const std::filesystem::path& folder) {
  file_ = ::open((folder / ".exercises.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return;
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    std::array<char, 16> process{};
    const bool known = ::read(file_, process.data(), process.size() - 1) > 0;
    ::close(file_);
    throw ValueError(
        fmt::format("another tutor{} looks after {}. End it with q, or choose another folder: GRADUS_MY=FOLDER. (list, "
                    "check and hint may be used beside it.)",
                    known ? fmt::format(" (process {})", process.data()) : "", typed(folder)));
  }
  const std::string process = std::to_string(::getpid());
  const bool written = ::ftruncate(file_, 0) == 0 && ::write(file_, process.data(), process.size()) > 0;
  static_cast<void>(written);  // else the other one is told no number
}

OnlyTutor::~OnlyTutor() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace gradus::exercises
