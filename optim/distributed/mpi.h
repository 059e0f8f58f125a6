// Ranks as processes, by MPI (Message Passing Interface, 1994): `mpirun -n 4 program` starts four of them, on one machine or many.
#pragma once

#include "optim/distributed/threads.h"

namespace gradus::distributed {

bool has_mpi();    // was the library built with MPI?
bool under_mpi();  // did mpirun start this process?

// Calls body(link), where this process is a rank of those that mpirun started. If the body throws, `failed` is told, and the
// whole job ends. ValueError without MPI.
void run_mpi(const Body& body, const std::function<void(int rank, const std::exception&)>& failed);

// MPI's own sum over all ranks, in an order that depends on the size, the number of ranks and the version of MPI. ValueError for
// a link that is not MPI's.
void mpi_all_reduce(Link& link, std::span<float> x);
void mpi_all_reduce(Link& link, std::span<double> x);

}  // namespace gradus::distributed
