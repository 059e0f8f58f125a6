// How a wrong answer that has no name is related to what is right.
#pragma once

#include <optional>
#include <string>

#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Relation {
  std::string sentence, question;
};

// Right but for a factor, transposed, right with other inputs, wrong in one of its parts …
std::optional<Relation> relation(const Stage& stage, const Many& got, const Many& expected);

// "dx is right, dgain is not.", if an output is right on every probe.
std::optional<Relation> some_outputs(const Many& got, const Many& expected);

}  // namespace gradus::exercises
