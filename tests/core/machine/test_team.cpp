// Team: a loop shared by threads, on a machine where some of them come late or not at all.
#include "core/machine/team.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "core/machine/threads.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Waits for it, but not for ever.
bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// The sum of a loop's parts: 0 + 1 + … + (parts - 1).
std::int64_t sum_of_parts(std::int64_t parts) {
  std::atomic<std::int64_t> sum = 0;
  run_on_team(parts, [&](std::int64_t part) { sum += part; });
  return sum;
}

}  // namespace

TEST_CASE("team: each part once, in thousands of loops of any length by teams of any size") {
  for (const std::uint32_t size : {1, 2, 3, 8}) {
    Team team(size);
    for (std::uint32_t round = 0; round < 2000; ++round) {
      std::vector<std::atomic<int>> visits(round % 23);
      team.run(round % 23, [&](std::uint32_t part) { ++visits[part]; });
      bool once = true;
      for (const auto& visit : visits) once = once && visit == 1;
      REQUIRE(once);
    }
  }
}

TEST_CASE("team: what a part wrote, the caller reads, and the next loop's threads") {
  Team team(3);
  std::vector<int> values(64);
  for (int round = 0; round < 1000; ++round) {
    team.run(64, [&](std::uint32_t part) { values[part] += 1; });
    team.run(64, [&](std::uint32_t part) { values[63 - part] += static_cast<int>(part % 2); });
  }
  for (std::size_t i = 0; i < 64; ++i) CHECK(values[i] == 1000 + 1000 * static_cast<int>((63 - i) % 2));
}

TEST_CASE("team: a thread that is held up in one part leaves the others' parts to the caller") {
  Team team(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> by_caller = 0, by_other = 0;
  bool came = true;
  team.run(8, [&](std::uint32_t) {
    if (std::this_thread::get_id() == caller) {
      ++by_caller;
      if (by_caller == 1) comes_true([&] { return by_other == 1; });  // the other has begun
    } else if (by_other++ == 0) {
      came = comes_true([&] { return by_caller == 7; });
    }
  });
  CHECK(came);
  CHECK(by_caller == 7);
  CHECK(by_other == 1);
}

TEST_CASE("team: the first exception arrives at the caller, once, and all other parts are done") {
  Team team(2);
  std::atomic<int> done = 0;
  const auto fail_at_five = [&](std::uint32_t part) {
    if (part == 5) throw std::runtime_error("five");
    ++done;
  };
  CHECK_THROWS_WITH_AS(team.run(8, fail_at_five), "five", std::runtime_error);
  CHECK(done == 7);
  team.run(2, [&](std::uint32_t) { ++done; });
  CHECK(done == 9);
}

TEST_CASE("team: its threads take no signal, which are for the threads of the program") {
  Team team(2);
  std::atomic<int> blocked = -1;
  const auto caller = std::this_thread::get_id();
  for (int i = 0; i < 1000 && blocked == -1; ++i) {
    team.run(2, [&](std::uint32_t) {
      if (std::this_thread::get_id() == caller) {
        comes_true([begun = std::chrono::steady_clock::now()] {
          return std::chrono::steady_clock::now() > begun + std::chrono::microseconds(100);
        });
      } else {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        blocked = sigismember(&mask, SIGINT) + 2 * sigismember(&mask, SIGTERM);
      }
    });
  }
  CHECK(blocked == 3);
}

TEST_CASE("run_on_team: two threads may share their loops at once; one of them does so alone") {
  const Threads threads(2);
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    for (int i = 0; i < 500; ++i) wrong += sum_of_parts(16) != 120;
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(wrong == 0);
}

TEST_CASE("run_on_team: a child of fork() shares its loops with threads of its own") {
  const Threads threads(2);
  CHECK(sum_of_parts(16) == 120);
  const pid_t child = fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(sum_of_parts(16) == 120 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("run_on_team: the number of threads may change between any two loops") {
  for (int i = 0; i < 50; ++i) {
    const Threads threads(1 + i % 5);
    CHECK(sum_of_parts(100) == 4950);
  }
}
