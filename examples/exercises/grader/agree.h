// Do the functions of an exercise that are right belong together?
#pragma once

#include <optional>
#include <vector>

#include "examples/exercises/grader/diagnose.h"

namespace gradus::exercises {

// What is said of the first function that has chosen otherwise than one before it. `verdicts` are of the exercise's first functions,
// all of which pass.
std::optional<Verdict> disagreement(const Exercise& exercise, const std::vector<Verdict>& verdicts);

}  // namespace gradus::exercises
