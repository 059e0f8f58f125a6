#include "examples/ch13_ranks/sums.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "core/tensor/random.h"
#include "core/tensor/tensor.h"
#include "examples/ch13_ranks/by_mpi.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/mpi.h"
#include "optim/distributed/start.h"

namespace gradus::examples {
namespace {

using namespace distributed;
using Floats = std::vector<float>;

const std::vector<int> kRanks{2, 3, 4, 8};
const std::vector<std::size_t> kSizes{1000, 5000, 100000};

Floats numbers_of(std::uint64_t seed, int rank, std::size_t size) {
  Generator random(1000 * seed + static_cast<std::uint64_t>(rank));
  const Tensor x = randn({static_cast<std::int64_t>(size)}, DType::f32, random);
  return {x.data<float>(), x.data<float>() + size};
}

// The sum of the ranks from begin to end, by a binary tree: (x₀ + x₁) + x₂, and (x₀ + x₁) + (x₂ + x₃).
Floats tree_sum(std::uint64_t seed, int begin, int end, std::size_t size) {
  if (end - begin == 1) return numbers_of(seed, begin, size);
  const int middle = begin + static_cast<int>(std::bit_ceil(static_cast<unsigned>(end - begin))) / 2;
  Floats sum = tree_sum(seed, begin, middle, size);
  const Floats right = tree_sum(seed, middle, end, size);
  for (std::size_t i = 0; i < size; ++i) sum[i] += right[i];
  return sum;
}

Floats sum_in_rank_order(std::uint64_t seed, int ranks, std::size_t size) {
  Floats sum = numbers_of(seed, 0, size);
  for (int rank = 1; rank < ranks; ++rank) {
    const Floats next = numbers_of(seed, rank, size);
    for (std::size_t i = 0; i < size; ++i) sum[i] += next[i];
  }
  return sum;
}

Floats sum_by(const char* name, std::uint64_t seed, int ranks, std::size_t size) {
  Floats sum;
  run_threads(ranks, [&](Link& link) {
    Floats x = numbers_of(seed, link.rank(), size);
    all_reduces().find(name).value(link, std::span(x));
    if (link.rank() == 0) sum = x;
  });
  return sum;
}

double percent_other(const Floats& x, const Floats& y) {
  double other = 0;
  for (std::size_t i = 0; i < x.size(); ++i) other += x[i] != y[i] ? 1 : 0;
  return 100 * other / static_cast<double>(x.size());
}

std::vector<double> mpi_row(std::uint64_t seed, int ranks) {
  std::vector<double> row = numbers_by_mpi(kMpiSums, ranks, seed);
  row.resize(kSizes.size(), std::nan(""));
  return row;
}

}  // namespace

int print_mpi_sums(char** arguments) {
  const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
  start({.ranks = std::atoi(arguments[2])}, arguments, [&](Link& link) {
    if (!under_mpi()) return;
    for (const std::size_t size : kSizes) {
      Floats x = numbers_of(seed, link.rank(), size);
      mpi_all_reduce(link, std::span(x));
      if (link.rank() == 0) fmt::print("{}\n", percent_other(x, tree_sum(seed, 0, link.ranks(), size)));
    }
  });
  return 0;
}

OtherBits measure_other_bits(std::uint64_t seed) {
  OtherBits all{kRanks, kSizes, {}, {}, {}, {}};
  for (const int ranks : kRanks) {
    std::vector<double> order, ring, tree;
    for (const std::size_t size : kSizes) {
      const Floats right = tree_sum(seed, 0, ranks, size);
      order.push_back(percent_other(sum_in_rank_order(seed, ranks, size), right));
      ring.push_back(percent_other(sum_by("ring", seed, ranks, size), right));
      tree.push_back(percent_other(sum_by("tree", seed, ranks, size), right));
    }
    all.rank_order.push_back(order);
    all.ring.push_back(ring);
    all.tree.push_back(tree);
    all.mpi.push_back(mpi_row(seed, ranks));
  }
  return all;
}

}  // namespace gradus::examples
