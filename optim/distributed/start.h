// How a program starts its ranks.
#pragma once

#include "optim/distributed/threads.h"

namespace gradus::distributed {

struct StartOptions {
  int ranks = 1;
  std::string hosts = {};  // a file of hosts, as mpirun takes it; "" for this machine
  bool threads = false;    // not by MPI, even where it is installed
};

// Calls body(link) on every rank. Where the library was built with Open MPI and mpirun is there, this process becomes mpirun, which
// starts the program again, once a rank, with the same arguments; else the ranks are threads. What a rank throws comes out, from
// threads; under mpirun it is told to stderr with its rank, and the job ends. ValueError for less than one rank.
void start(const StartOptions& options, char** arguments, const Body& body);

std::string how_started(const StartOptions& options);  // "4 ranks, processes by Open MPI"

}  // namespace gradus::distributed
