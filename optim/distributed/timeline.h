// Timeline: what a rank did when, recorded from the run itself.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace gradus::distributed {

struct Event {
  std::string kind;   // "walk", "message", "wait"
  std::string what;   // such as the first parameter of a bucket
  double begin, end;  // seconds since begin()
};

class Timeline {
 public:
  Timeline() { begin(); }
  void begin() {
    const std::lock_guard lock(mutex_);
    events_.clear();
    begun_ = std::chrono::steady_clock::now();
  }
  double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }
  void add(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  std::vector<Event> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }

 private:
  std::chrono::steady_clock::time_point begun_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

}  // namespace gradus::distributed
