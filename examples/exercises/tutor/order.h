// Which exercise comes next, and which one is meant.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/tutor/state.h"

namespace gradus::exercises {

// What an exercise builds on that has not passed yet: ids.
std::vector<std::string> missing_for(const Exercise& exercise, const State& state);

// The first from `after` on (after the last comes the first) that has not passed, and builds on nothing that has not; if there
// is none, the first that has not passed; nullptr if all have.
const Exercise* next_open(const State& state, const Exercise* after = nullptr);

// Where the student is: where they were, if that has not passed yet, or else the next one that is open.
const Exercise& current_of(const State& state);

// By its id, number or file, with or without a path: "rms-norm", "10", "my/10_rms_norm.cpp". ValueError with the nearest.
const Exercise& exercise_called(const std::string& word);

}  // namespace gradus::exercises
