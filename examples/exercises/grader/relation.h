// How a wrong answer that has no name is related to what is right.
#pragma once

#include <optional>
#include <string>

#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Relation { std::string sentence, question; };

// What it is on every probe: right but for a factor, transposed, right with other inputs, right but for one of its parts …
std::optional<Relation> relation(const Stage& stage, const Many& got, const Many& expected);

// Where it is wrong: what comes first, an end, all that follows some place.
std::optional<Relation> wrong_part(const Stage& stage, const Many& got, const Many& expected);

// "dx is right, dgain is not.", if an output is right on every probe.
std::optional<Relation> some_outputs(const Many& got, const Many& expected);

}  // namespace gradus::exercises
