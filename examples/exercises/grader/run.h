// Runs a student's function in a separate process, which may crash, hang, or print a megabyte. It guards against accidents
// and against answers that are none; it is no prison.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Run {
  enum class End {
    finished,
    not_written,  // it says todo()
    threw,        // detail: what()
    crashed,      // detail: by which signal, in words; so it is for the next three
    divided,      // a whole number by 0
    aborted,
    returned_nothing,
    out_of_memory,  // detail: how much it may have
    endless_recursion,
    hung,  // detail: how long it was waited for
    exited,
    forked,
    not_repeated,   // the same inputs gave other outputs: detail: the array
    wrote_outside,  // detail: the array
    changed_input,  // detail: the array
    wrong_shape,    // detail: in words
    gradient_cut,   // detail: the array
    not_loaded,     // detail: what the linker says
  };
  End end = End::finished;
  std::string detail, printed;   // printed: the first lines of what it wrote to the terminal
  std::vector<Outputs> outputs;  // of the probes before it ended
  Attempts later = {};           // those behind the one on which it threw or gave a wrong shape
};

// What a function throws that only calls one elsewhere, which has ended so.
struct Ended {
  Run::End end;
  std::string detail = {};
};

// In this process: for answers that are known, and for those that are called elsewhere.
Run run_here(const Function& function, const std::vector<Probe>& probes);

// Its two parts: up to its end, and what `later` is then.
Run run_until_end(const Function& function, const std::vector<Probe>& probes);
Attempts attempts_later(const Function& function, const std::vector<Probe>& probes, const Run& run);

// The function of a stage that `library`, which was made of a student's file, defines. A library of many answers has the functions
// of each after those of the one before: `answer` counts them.
Run run_apart(const std::string& library, const Exercise& exercise, std::size_t stage, std::size_t answer = 0);

// What run_apart's process does: its arguments are those of `exercises --apart`. `function` is one of the library's.
int be_apart(const std::string& library, const std::string& id, std::size_t stage, std::size_t function);

// The functions of a library, in this process; nullptr if it does not have them, and dlerror() says why.
const Functions* functions_in(const std::string& library);

}  // namespace gradus::exercises
