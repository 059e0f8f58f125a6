// Team: a pool of threads that share the parts of a loop, on a machine that has other things to do.
//
// Each thread has a lane, the same parts in every loop of that size, so that it finds in its cache what it used before. When
// its lane is empty it takes parts from the other lanes (work stealing). So a thread that does not come, because another
// program has its processor, is not waited for: the others do its parts, the caller all of them if it must. Only a part that
// was begun is waited for. A thread that waits first spins for a moment, as the next loop mostly comes soon, and then sleeps,
// so that its processor is free.
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

  // Calls run(0) … run(parts - 1), each once, even if one throws; then rethrows the exception that came first. One caller at
  // a time.
  void run(std::uint32_t parts, const Run& run);

  std::uint32_t threads() const { return threads_; }  // as many as were asked for

 private:
  struct alignas(64) Lane {
    // The round in the upper 32 bits, the number of parts not yet taken in the lower: one word, so that a late thread, still
    // in an old round, cannot take a part of a new one.
    std::atomic<std::uint64_t> left = 0;
    std::atomic<std::uint32_t> called = 0;  // the last round its thread was called to
    std::thread thread;                     // none for the first lane, which is the caller's
  };

  void call(Lane& lane, std::uint32_t round);
  void work(std::uint32_t lane);                                            // what a thread does all its life
  void do_parts(std::uint32_t lane, std::uint32_t round);                   // those of its lane, then the others'
  bool take(std::uint32_t lane, std::uint32_t round, std::uint32_t& part);  // false: no part of that round is left in it
  void do_part(std::uint32_t part);
  std::uint32_t end_of(std::uint32_t lane) const;  // one past its last part

  const std::unique_ptr<Lane[]> lanes_;
  const std::uint32_t threads_;
  std::uint32_t size_ = 1;  // threads that there are, the caller among them; each has a lane
  std::atomic<bool> stopping_ = false;

  // The loop of this round. A thread may read it while it has a part: only when all are done does it change.
  const Run* run_ = nullptr;
  std::uint32_t parts_ = 0, round_ = 0;
  std::atomic<std::uint32_t> unfinished_ = 0;
  std::exception_ptr failure_;
  std::mutex failing_;
};

}  // namespace gradus
