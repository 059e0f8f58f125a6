// Messenger: a thread that talks to the other ranks while this one computes.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace gradus::distributed {

// Runs jobs one after the other, in the order in which they were given, so that all ranks send the same messages in the same order.
// Whoever has jobs under way uses the link in no other way.
class Messenger {
 public:
  Messenger() : thread_([this] { work(); }) {}
  ~Messenger();
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  void start(std::function<void()> job);
  void wait();  // until all are done; rethrows what a job threw, after which no further one was run

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // the first is being run
  std::exception_ptr failure_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gradus::distributed
