// Runs a student's function in a process of its own, which may crash, hang, or print a megabyte.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Run {
  enum class End {
    finished,
    not_written,     // it says todo()
    threw,           // detail: what()
    crashed,         // detail: the signal's name
    hung,
    exited,
    forked,
    wrote_outside,   // detail: the array
    changed_input,   // detail: the array
    wrong_shape,     // detail: in words
    gradient_cut,    // detail: the array
    not_loaded,      // detail: what the linker says
  };
  End end = End::finished;
  std::string detail, printed;    // printed: the first lines of what it wrote to the terminal
  std::vector<Outputs> outputs;  // of the probes before it ended
};

// In this process: for answers that are known.
Run run_here(const Function& function, const std::vector<Probe>& probes);

// The function of a stage that `library`, which was made of a student's file, defines.
Run run_apart(const std::string& library, const Exercise& exercise, std::size_t stage);

// What run_apart's process does: its arguments are those of `exercises --apart`.
int be_apart(const std::string& library, const std::string& id, std::size_t stage);

}  // namespace gradus::exercises
