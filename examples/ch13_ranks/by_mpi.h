// This program once more, by MPI, for what only processes can measure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradus::examples {

// What `ch13_ranks WHAT RANKS SEED` prints: numbers. None where there is no MPI.
std::vector<double> numbers_by_mpi(const std::string& what, int ranks, std::uint64_t seed = 0);

}  // namespace gradus::examples
