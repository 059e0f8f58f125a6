// Watching: who watches something in this thread, for as long as an object lives.
#pragma once

#include <utility>

namespace gradus {

// While it lives, `watcher` is the one of its kind that is told; nullptr: nobody is. They may go in any order.
template <typename W> class Watching {
 public:
  explicit Watching(W* watcher) : watcher_(watcher), before_(std::exchange(last_, this)) {}
  ~Watching() {
    Watching** link = &last_;
    while (*link != nullptr && *link != this) link = &(*link)->before_;
    if (*link == this) *link = before_;
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  static W* current() { return last_ != nullptr ? last_->watcher_ : nullptr; }

 private:
  inline static thread_local constinit Watching* last_ = nullptr;
  W* watcher_;
  Watching* before_;
};

}  // namespace gradus
