// Watching: who watches something in this thread, for as long as an object lives.
#pragma once

#include <utility>

namespace gradus {

// While it lives, `watcher` is the one of its kind that is told; nullptr: nobody is.
template <typename W> class Watching {
 public:
  explicit Watching(W* watcher) : before_(std::exchange(current_, watcher)) {}
  ~Watching() { current_ = before_; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  static W* current() { return current_; }

 private:
  inline static thread_local constinit W* current_ = nullptr;
  W* before_;
};

}  // namespace gradus
