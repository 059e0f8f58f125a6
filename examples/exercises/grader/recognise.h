// Which known mistakes an answer makes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Recognised {
  std::vector<const Mistake*> mistakes;   // one, or two at once
  std::size_t alike = 0, wrong = 0;       // it gives what they give on `alike` of the `wrong` probes on which it is wrong
  std::vector<std::string> outputs = {};  // in these of its outputs; none: in all
};

// Mistakes that give what it gives on every probe, and throw where it throws.
std::optional<Recognised> exactly(const Stage& stage, const Attempts& got);

// A mistake that gives the same on the first probe that is wrong, and on more than half of those on which either of the two is:
// the outputs that are wrong count, and what is no number is like any other that is none.
std::optional<Recognised> nearly(const Stage& stage, const Attempts& got, const Many& expected);

}  // namespace gradus::exercises
