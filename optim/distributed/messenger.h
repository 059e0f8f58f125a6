// Messenger: talks to the other ranks while this thread computes.
#pragma once

#include <functional>
#include <future>

namespace gradus::distributed {

// Runs jobs one after the other, in the order in which they were given, so that all ranks send the same messages in the same order.
// While there are any, nobody else uses the link.
class Messenger {
 public:
  void start(std::function<void()> job) {
    last_ = std::async(std::launch::async, [before = std::move(last_), job = std::move(job)]() mutable {
      if (before.valid()) before.get();
      job();
    });
  }
  // Until all are done. Rethrows what a job threw; those after it were not run.
  void wait() {
    if (last_.valid()) last_.get();
  }

 private:
  std::future<void> last_;  // its destructor waits
};

}  // namespace gradus::distributed
