// A team of threads that share a loop, on a machine that has other things to do.
//
// The parts of a loop are dealt out in lanes, one for each thread, so that a thread meets in the next loop what it has in its
// cache. A thread that is done with its own lane goes on with the others': one that does not come, because another
// program has its processor, holds nobody up, and the caller finishes the loop alone if it has to. Who waits does so busily
// for a moment, in which the next loop mostly comes, and then asleep, so that the processor is free for others.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace gradus {

class Team {
 public:
  using Run = std::function<void(std::uint32_t part)>;

  // The caller of run() is one of the threads. Where the system gives no more of them, the team is smaller.
  explicit Team(std::uint32_t threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls run(0) … run(parts - 1), each once, and rethrows the first of their exceptions. One caller at a time.
  void run(std::uint32_t parts, const Run& run);

  std::uint32_t threads() const { return threads_; }  // as many as were asked for

 private:
  struct alignas(64) Lane {
    // What is left of it: the round in the upper half, the number of parts in the lower. In one word, so that a thread that
    // comes late, with an old round in mind, takes nothing of a new one.
    std::atomic<std::uint64_t> left = 0;
    std::atomic<std::uint32_t> called = 0;  // the round to which its thread is called
    std::thread thread;                     // none for the first lane, which is the caller's
  };

  void call(Lane& lane, std::uint32_t round);
  void work(std::uint32_t lane);                           // what a thread does all its life
  void do_parts(std::uint32_t lane, std::uint32_t round);  // those of its lane, then the others'
  bool take(std::uint32_t lane, std::uint32_t round, std::uint32_t& part);  // false: this lane has none left
  void do_part(std::uint32_t part);
  std::uint32_t end_of(std::uint32_t lane) const;  // one past its last part

  const std::unique_ptr<Lane[]> lanes_;
  const std::uint32_t threads_;
  std::uint32_t size_ = 1;
  std::atomic<bool> stopping_ = false;

  // The loop of this round. Who has taken a part may read it: it changes only when all parts are done.
  const Run* run_ = nullptr;
  std::uint32_t parts_ = 0, round_ = 0;
  std::atomic<std::uint32_t> unfinished_ = 0;
  std::exception_ptr failure_;
  std::mutex failing_;
};

}  // namespace gradus
