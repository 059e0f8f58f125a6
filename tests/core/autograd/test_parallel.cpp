// parallel_for: every index once, for any size, grain and number of threads.
#include "core/machine/parallel.h"

#include <atomic>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("parallel_for: visits every index exactly once") {
  for (int count : {1, 2, 3, 5, 8}) {
    const Threads threads(count);
    for (int64_t n : {0, 1, 2, 3, 7, 64, 1001, 100'003}) {
      for (int64_t grain : {0, 1, 3, 1000, 1 << 30}) {
        std::vector<int> visits(static_cast<std::size_t>(n));
        kernels::parallel_for(n, grain, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
        });
        CHECK(std::accumulate(visits.begin(), visits.end(), int64_t{0}) == n);
        CHECK(std::all_of(visits.begin(), visits.end(), [](int visit) { return visit == 1; }));
      }
    }
  }
}

TEST_CASE("parallel_for: stays on one thread below two grains of work") {
  const Threads threads(4);
  int calls = 0;
  kernels::parallel_for(199, 100, [&](int64_t begin, int64_t end) {
    ++calls;
    CHECK(begin == 0);
    CHECK(end == 199);
  });
  CHECK(calls == 1);
}

TEST_CASE("parallel_for: inside itself, it runs on the thread it is on") {
  const Threads threads(2);
  std::atomic<int64_t> total = 0;
  kernels::parallel_for(8, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      kernels::parallel_for(1000, 1, [&](int64_t first, int64_t last) { total += last - first; });
    }
  });
  CHECK(total == 8000);
}

TEST_CASE("set_num_threads: a count that no machine has is refused, and the threads stay as they were") {
  const int before = num_threads();
  for (const int count : {0, -1, most_threads() + 1, std::numeric_limits<int>::max()}) {
    const std::string expected =
        fmt::format("set_num_threads: needs from 1 to {} threads, 32 for each processor, got {}", most_threads(), count);
    CHECK_THROWS_WITH_AS(set_num_threads(count), expected.c_str(), ValueError);
  }
  CHECK(num_threads() == before);
}

TEST_CASE("kernels: the same bits on 1, 2 and 5 threads") {
  Generator generator(1);
  const Tensor x = randn({301, 257}, DType::f32, generator), ids = randint(0, 50, {30'001}, generator);
  std::vector<Tensors> found;
  for (int count : {1, 2, 5}) {
    const Threads threads(count);
    found.push_back({sum(x), sum(x, 0), sum(x, 1), max(x, 0), cumsum(x, 0), exp(x), x * sum(x, 0), transpose(x),
                     index_add(zeros({50, 64}), 0, ids, ones({30'001, 64})), argsort(x), mean(x)});
  }
  for (const Tensors& results : found) {
    for (std::size_t i = 0; i < results.size(); ++i) CHECK(equal(results[i], found[0][i]));
  }
}

TEST_CASE("parallel_for: what a part throws arrives at the caller") {
  const Threads threads(3);
  const auto fail_late = [](int64_t begin, int64_t) { check<ValueError>(begin == 0, "part {} failed", begin); };
  CHECK_THROWS_WITH_AS(kernels::parallel_for(20, 10, fail_late), "part 10 failed", ValueError);
}

#if !defined(__SANITIZE_ADDRESS__)  // where nothing is kept
TEST_CASE("pool: a thread that ends leaves nothing but small blocks") {
  const auto resident = [] {
    std::ifstream statm("/proc/self/statm");
    int64_t pages = 0;
    statm >> pages >> pages;
    return pages * 4096;
  };
  const auto work = [] { std::thread([] { zeros({60'000}) + 1; }).join(); };
  for (int i = 0; i < 20; ++i) work();
  const int64_t before = resident();
  for (int i = 0; i < 200; ++i) work();
  CHECK(resident() - before < 24'000'000);  // 200 times both would be 96 MB; small blocks stay, 64 KiB per thread
}
#endif
