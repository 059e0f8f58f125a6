#include "optim/distributed/messenger.h"

namespace gradus::distributed {

Messenger::~Messenger() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Messenger::start(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Messenger::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty(); });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Messenger::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::function<void()> job = jobs_.front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    jobs_.pop_front();
    if (failure) failure_ = failure, jobs_.clear();
    changed_.notify_all();
  }
}

}  // namespace gradus::distributed
