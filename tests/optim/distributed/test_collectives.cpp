// Collectives: what they give, at any number of ranks, and in which order they add.
#include "optim/distributed/collectives.h"

#include <cmath>
#include <numeric>

#include "core/tensor/random.h"
#include "optim/distributed/slow_link.h"
#include "optim/distributed/threads.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::distributed;

namespace {

// Rank r's numbers, of sizes so far apart that every order of adding gives other bits.
std::vector<float> numbers_of(int rank, std::size_t size) {
  Generator generator(static_cast<std::uint64_t>(rank) + 1);
  std::vector<float> x(size);
  for (float& one : x) one = static_cast<float>(std::exp(20 * generator.uniform() - 10) - 1);
  return x;
}

// What each rank has after f(link, x).
template <typename F> std::vector<std::vector<float>> on_ranks(int ranks, std::size_t size, const F& f) {
  std::vector<std::vector<float>> all(static_cast<std::size_t>(ranks));
  run_threads(ranks, [&](Link& link) {
    std::vector<float> x = numbers_of(link.rank(), size);
    f(link, std::span(x));
    all[static_cast<std::size_t>(link.rank())] = x;
  });
  return all;
}

// ((x₀ + x₁) + (x₂ + x₃)) + …
float tree_of(int begin, int end, std::size_t i, std::size_t size) {
  if (end - begin == 1) return numbers_of(begin, size)[i];
  const int middle = begin + (end - begin) / 2;
  return tree_of(begin, middle, i, size) + tree_of(middle, end, i, size);
}

const std::size_t kSizes[] = {0, 1, 2, 7, 64, 1001};

}  // namespace

TEST_CASE("dist-doubling, dist-halving, dist-tree, dist-ring: the sum of all ranks, the same bits on each") {
  for (const auto& [name, id, all_reduce] : all_reduces().variants) {
    if (name == "mpi") continue;
    for (int ranks : {1, 2, 3, 4, 5, 8}) {
      const bool power_of_two = (ranks & (ranks - 1)) == 0;
      if (!power_of_two && (name == "doubling" || name == "halving")) continue;
      for (std::size_t size : kSizes) {
        const auto all = on_ranks(ranks, size, all_reduce);
        for (const auto& x : all) CHECK(x == all[0]);
        for (std::size_t i = 0; i < size; ++i) {
          double sum = 0, sizes = 0;
          for (int rank = 0; rank < ranks; ++rank) {
            const double one = numbers_of(rank, size)[i];
            sum += one;
            sizes += std::abs(one);
          }
          CHECK(std::abs(all[0][i] - sum) <= 1e-6 * sizes);
          if (all_reduce.binary_tree && power_of_two) CHECK(all[0][i] == tree_of(0, ranks, i, size));
        }
      }
    }
  }
}

TEST_CASE("dist-ring: adds in another order than a tree, so its bits differ") {
  const auto ring = on_ranks(4, 1001, [](Link& link, std::span<float> x) { ring_all_reduce(link, x); })[0];
  int differ = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) differ += ring[i] != tree_of(0, 4, i, ring.size());
  CHECK(differ > 100);
}

TEST_CASE("dist-ring, dist-halving: the parts that ranks own") {
  for (int ranks : {1, 2, 3, 4, 8}) {
    for (std::size_t size : kSizes) {
      std::size_t end = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Part part = part_of(size, rank, ranks);
        CHECK(part.begin == end);
        CHECK(part.end - part.begin <= size / static_cast<std::size_t>(ranks) + 1);
        end = part.end;
      }
      CHECK(end == size);
      run_threads(ranks, [&](Link& link) {
        std::vector<float> x = numbers_of(link.rank(), size), sum = x;
        tree_all_reduce(link, std::span(sum));
        reduce_scatter(link, std::span(x));
        const auto [from, to] = part_of(size, link.rank(), link.ranks());
        for (std::size_t i = from; i < to; ++i) CHECK(std::abs(x[i] - sum[i]) <= 1e-5 * std::abs(sum[i]) + 1e-2);
        all_gather(link, std::span(x));
        for (std::size_t i = 0; i < size; ++i) CHECK(std::abs(x[i] - sum[i]) <= 1e-5 * std::abs(sum[i]) + 1e-2);
      });
    }
  }
}

TEST_CASE("dist-tree: a broadcast from any root, and the sum of one number") {
  run_threads(5, [](Link& link) {
    for (int root = 0; root < 5; ++root) {
      std::vector<double> x{link.rank() + 0.5, 7.0 * link.rank()};
      broadcast(link, std::span(x), root);
      CHECK(x == std::vector<double>{root + 0.5, 7.0 * root});
    }
    double one = link.rank() + 1;
    tree_all_reduce(link, std::span(&one, 1));
    CHECK(one == 15);
  });
}

TEST_CASE("link: a barrier waits for all") {
  std::atomic<int> arrived = 0;
  run_threads(5, [&](Link& link) {
    ++arrived;
    link.barrier();
    CHECK(arrived == 5);
  });
}

TEST_CASE("link: bad calls") {
  run_threads(3, [](Link& link) {
    std::array<std::byte, 1> byte{};
    CHECK_THROWS_WITH_AS(link.send(3, byte), doctest::Contains("there are 3 ranks"), ValueError);
    CHECK_THROWS_AS(link.receive(link.rank(), byte), ValueError);
    std::vector<float> x(4);
    CHECK_THROWS_WITH_AS(doubling_all_reduce(link, std::span(x)), doctest::Contains("needs 1, 2, 4, 8 … ranks, got 3"), ValueError);
    CHECK_THROWS_WITH_AS(check_same(link, "options", link.rank() == 2 ? 1 : 0), doctest::Contains("the options of rank 2"), ValueError);
    check_same(link, "options", hash_of("alike"));
    CHECK_THROWS_WITH_AS(broadcast(link, std::span(x), 3), "broadcast: there is no rank 3 among 3", ValueError);
  });
  CHECK(hash_of("") == 0xcbf29ce484222325u);
  CHECK(hash_of("a") == 0xaf63dc4c8601ec8cu);
  CHECK_THROWS_AS(run_threads(0, [](Link&) {}), ValueError);
}

TEST_CASE("link: a rank that fails stops the others, and its error comes out") {
  CHECK_THROWS_WITH_AS(run_threads(4,
                                   [](Link& link) {
                                     if (link.rank() == 2) throw ShapeError("rank 2 has no time");
                                     link.barrier();
                                   }),
                       "rank 2 has no time", ShapeError);
}

TEST_CASE("link: a rank that ended early is named at once, and what it sent still comes") {
  CHECK_THROWS_WITH_AS(run_threads(2,
                                   [](Link& link) {
                                     double x = 1;
                                     if (link.rank() == 1) return send(link, 0, std::span(&x, 1));
                                     receive(link, 1, std::span(&x, 1));
                                     receive(link, 1, std::span(&x, 1));
                                   }),
                       "rank 1 has stopped, while rank 0 takes part in a message", IoError);
}

TEST_CASE("link: a rank that hangs is named, with what is waited for") {
  CHECK_THROWS_WITH_AS(
      run_threads(2,
                  [](Link& link) {
                    link.set_patience(std::chrono::milliseconds(50));
                    link.set_task("the sum of the gradients from blocks.3 on");
                    double x = 1;
                    if (link.rank() == 0) tree_all_reduce(link, std::span(&x, 1));
                    std::this_thread::sleep_for(std::chrono::milliseconds(100));
                  }),
      doctest::Contains("rank 0 has waited 0.05 s for rank 1, which should take part in the sum of the gradients from blocks.3 on"),
      IoError);
}

TEST_CASE("link: a slow one takes α + β b for each message, as the cost laws say") {
  const LinkCost cost{.latency = 2e-3, .byte_time = 1e-6};
  for (const auto& [name, id, all_reduce] : all_reduces().variants) {
    if (name == "mpi") continue;
    run_threads(4, [&, &all_reduce = all_reduce](Link& fast) {
      SlowLink link(fast, cost);
      std::vector<float> x(2000, 1.0f);
      fast.barrier();
      const auto begun = std::chrono::steady_clock::now();
      all_reduce(link, std::span(x));
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      if (fast.rank() == 0) CHECK(seconds >= 0.99 * all_reduce.cost(4, 8000, cost) * (name == "tree" ? 0.5 : 1));
    });
  }
}
