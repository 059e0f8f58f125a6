// Which bits differ: the same numbers, added over ranks in several orders.
#pragma once

#include <string>
#include <vector>

namespace gradus::examples {

// The percentage of sums over ranks whose bits are not those of the binary tree: a row for each number of ranks, a column for
// each size. NaN where there is no MPI.
struct OtherBits {
  std::vector<int> ranks;
  std::vector<std::size_t> sizes;
  std::vector<std::vector<double>> rank_order, ring, tree, mpi;
};
OtherBits measure_other_bits(std::uint64_t seed);

// What measure_other_bits() starts this program for, by MPI: `ch13_ranks --mpi-sums RANKS SEED` prints a row of `mpi`.
inline constexpr const char* kMpiSums = "--mpi-sums";
int print_mpi_sums(char** arguments);

}  // namespace gradus::examples
