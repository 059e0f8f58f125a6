#include "core/machine/team.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace gradus {
namespace {

// While it lives, this thread blocks all signals, and threads that it starts inherit that for good: signals are for the
// program's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// Waits until done(value), and returns the value: spins for a moment, then sleeps until the thread that changes it notifies.
template <typename Done> std::uint32_t wait_until(const std::atomic<std::uint32_t>& value, const Done& done) {
  constexpr std::chrono::microseconds moment(20);
  const auto end = std::chrono::steady_clock::now() + moment;
  std::uint32_t now = value.load(std::memory_order_acquire);
  for (; !done(now); now = value.load(std::memory_order_acquire)) {
    if (std::chrono::steady_clock::now() > end) value.wait(now, std::memory_order_acquire);
  }
  return now;
}

}  // namespace

Team::Team(std::uint32_t threads) : lanes_(std::make_unique<Lane[]>(threads)), threads_(threads) {
  const SignalsBlocked blocked;
  try {
    for (; size_ < threads_; ++size_) lanes_[size_].thread = std::thread([this, lane = size_] { work(lane); });
  } catch (const std::system_error&) {  // the threads that did start will do
  }
}

Team::~Team() {
  stopping_ = true;
  for (std::uint32_t lane = 1; lane < size_; ++lane) {
    call(lanes_[lane], round_ + 1);
    lanes_[lane].thread.join();
  }
}

void Team::run(std::uint32_t parts, const Run& run) {
  run_ = &run;
  parts_ = parts;
  unfinished_.store(parts, std::memory_order_relaxed);
  ++round_;
  for (std::uint32_t lane = 0, end = 0; lane < size_; ++lane) {
    const std::uint32_t begin = std::exchange(end, end_of(lane));
    lanes_[lane].left.store(std::uint64_t{round_} << 32 | (end - begin), std::memory_order_release);
  }
  for (std::uint32_t lane = 1; lane < std::min(size_, parts); ++lane) call(lanes_[lane], round_);
  do_parts(0, round_);
  wait_until(unfinished_, [](std::uint32_t left) { return left == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::call(Lane& lane, std::uint32_t round) {
  lane.called.store(round, std::memory_order_release);
  lane.called.notify_one();
}

void Team::work(std::uint32_t lane) {
  for (std::uint32_t round = 0;;) {
    round = wait_until(lanes_[lane].called, [=](std::uint32_t called) { return called != round; });
    if (stopping_) return;
    do_parts(lane, round);
  }
}

void Team::do_parts(std::uint32_t own, std::uint32_t round) {
  for (std::uint32_t i = 0; i < size_; ++i) {
    std::uint32_t part = 0;
    while (take((own + i) % size_, round, part)) do_part(part);
  }
}

bool Team::take(std::uint32_t lane, std::uint32_t round, std::uint32_t& part) {
  std::atomic<std::uint64_t>& left = lanes_[lane].left;
  std::uint64_t seen = left.load(std::memory_order_acquire);
  do {
    if (seen >> 32 != round || static_cast<std::uint32_t>(seen) == 0) return false;
  } while (!left.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel, std::memory_order_acquire));
  part = end_of(lane) - static_cast<std::uint32_t>(seen);
  return true;
}

void Team::do_part(std::uint32_t part) {
  try {
    (*run_)(part);
  } catch (...) {
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::current_exception();
  }
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
}

std::uint32_t Team::end_of(std::uint32_t lane) const { return static_cast<std::uint32_t>(std::uint64_t{parts_} * (lane + 1) / size_); }

}  // namespace gradus
