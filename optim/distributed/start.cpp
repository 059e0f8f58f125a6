#include "optim/distributed/start.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/machine/threads.h"
#include "optim/distributed/mpi.h"

namespace gradus::distributed {
namespace {

bool is_on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

bool by_mpi(const StartOptions& options) {
  return under_mpi() || (options.ranks > 1 && !options.threads && has_mpi() && is_on_path("mpirun"));
}

// mpirun refuses root unless two variables say that it may. A rank bound to one core could not use its threads; one that is stopped
// gets three seconds to save its work; and its terminal, which mpirun makes, is none if this process has none.
[[noreturn]] void become_mpirun(const StartOptions& options, char** arguments) {
  const std::string threads = std::to_string(std::max(1, num_threads() / options.ranks));
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  setenv("OMPI_MCA_odls_base_sigkill_timeout", "3", 0);
  setenv("OMP_NUM_THREADS", threads.c_str(), 1);
  if (isatty(STDOUT_FILENO) == 0) setenv("TERM", "dumb", 1);
  std::vector<std::string> words = {"mpirun",         "-n", std::to_string(options.ranks), "--bind-to", "none", "--oversubscribe", "-x",
                                    "OMP_NUM_THREADS"};
  if (!options.hosts.empty()) words.insert(words.end(), {"--hostfile", options.hosts});
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  for (char** argument = arguments + 1; *argument != nullptr; ++argument) words.push_back(*argument);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp("mpirun", pointers.data());
  throw IoError(fmt::format("mpirun could not be started: {}", std::strerror(errno)));
}

}  // namespace

void start(const StartOptions& options, char** arguments, const Body& body) {
  check<ValueError>(options.ranks > 0, "--ranks: needs at least 1, got {}", options.ranks);
  if (under_mpi())
    return run_mpi(body, [](int rank, const std::exception& error) { fmt::print(stderr, "rank {}: {}\n", rank, error.what()); });
  if (by_mpi(options)) become_mpirun(options, arguments);
  if (options.ranks > 1) return run_threads(options.ranks, body);
  Alone link;
  body(link);
}

std::string how_started(const StartOptions& options) {
  if (options.ranks == 1) return "1 rank";
  return fmt::format("{} ranks, {}", options.ranks, by_mpi(options) ? "processes by Open MPI" : "threads of this process");
}

}  // namespace gradus::distributed
