#include "optim/distributed/mpi.h"

#include <cstdlib>
#include <exception>

#ifdef GRADUS_MPI
#include <mpi.h>

#include <climits>
#include <thread>
#endif

namespace gradus::distributed {

bool under_mpi() { return has_mpi() && std::getenv("OMPI_COMM_WORLD_RANK") != nullptr; }

#ifdef GRADUS_MPI

bool has_mpi() { return true; }

namespace {

int count_of(std::size_t size) {
  check<ValueError>(size <= INT_MAX, "mpi: a message of {} is too long; at most {}", size, INT_MAX);
  return static_cast<int>(size);
}

class MpiLink final : public Link {
 public:
  MpiLink(int rank, int ranks) : Link(rank, ranks) {}

  void send(int to, ConstMessage message) override {
    check_rank("send", to);
    finish(begin_send(to, message), to);
  }
  void receive(int from, Message message) override {
    check_rank("receive", from);
    check_size(finish(begin_receive(from, message), from), message, from);
  }
  void exchange(int to, ConstMessage sent, int from, Message received) override {
    check_rank("exchange", to);
    check_rank("exchange", from);
    const MPI_Request coming = begin_receive(from, received), going = begin_send(to, sent);
    check_size(finish(coming, from), received, from);
    finish(going, to);
  }

 private:
  static MPI_Request begin_send(int to, ConstMessage message) {
    MPI_Request request;
    MPI_Isend(message.data(), count_of(message.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
    return request;
  }
  static MPI_Request begin_receive(int from, Message message) {
    MPI_Request request;
    MPI_Irecv(message.data(), count_of(message.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
    return request;
  }

  // MPI itself waits for ever, and at full speed.
  MPI_Status finish(MPI_Request request, int other) const {
    const auto begun = std::chrono::steady_clock::now();
    MPI_Status status;
    int done = 0;
    for (int tries = 0; MPI_Test(&request, &done, &status), !done; ++tries) {
      if (tries > 1000) std::this_thread::sleep_for(std::chrono::microseconds(20));
      if (std::chrono::steady_clock::now() - begun > patience()) refuse_waiting(other);
    }
    return status;
  }

  // A longer message than expected is MPI's own error.
  void check_size(const MPI_Status& status, Message expected, int from) const {
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    check<ValueError>(size == count_of(expected.size()), "receive: rank {} expected {} bytes from rank {}, which sent {}", rank(),
                      expected.size(), from, size);
  }
};

template <typename T> void all_reduce(Link& link, std::span<T> x, MPI_Datatype type) {
  check<ValueError>(dynamic_cast<MpiLink*>(&link) != nullptr, "all-reduce by MPI: the ranks are threads; start them by mpirun");
  MPI_Allreduce(MPI_IN_PLACE, x.data(), count_of(x.size()), type, MPI_SUM, MPI_COMM_WORLD);
}

}  // namespace

void run_mpi(const Body& body, const std::function<void(int rank, const std::exception&)>& failed) {
  int given = 0, rank = 0, ranks = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    check<ValueError>(given >= MPI_THREAD_SERIALIZED, "mpi: this MPI lets only the first thread send; use one built with threads");
    MpiLink link(rank, ranks);
    body(link);
  } catch (const std::exception& error) {
    failed(rank, error);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
}

void mpi_all_reduce(Link& link, std::span<float> x) { all_reduce(link, x, MPI_FLOAT); }
void mpi_all_reduce(Link& link, std::span<double> x) { all_reduce(link, x, MPI_DOUBLE); }

#else

bool has_mpi() { return false; }

namespace {
[[noreturn]] void refuse() {
  throw ValueError("mpi: the library was built without MPI; install libopenmpi-dev and openmpi-bin, and build it again");
}
}  // namespace

void run_mpi(const Body&, const std::function<void(int, const std::exception&)>&) { refuse(); }
void mpi_all_reduce(Link&, std::span<float>) { refuse(); }
void mpi_all_reduce(Link&, std::span<double>) { refuse(); }

#endif

}  // namespace gradus::distributed
