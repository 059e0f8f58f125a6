// A disk that is full, for as long as an object lives.
#pragma once

#include <sys/resource.h>

#include <csignal>

// No file may grow beyond `bytes` while this lives: writing then fails as on a full disk. With SIG_DFL the process is killed
// there, in the middle of what it writes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes, void (*handler)(int) = SIG_IGN) : handler_(std::signal(SIGXFSZ, handler)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_ = {};
};
