// Which exercise comes next, and which one is meant.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/tutor/state.h"

namespace gradus::exercises {

// What an exercise builds on that has not passed yet: ids.
std::vector<std::string> missing_for(const Exercise& exercise, const State& state);

// An exercise of docs/path.md, and the program of examples/first that it follows.
struct OnPath { std::string id, program; };
const std::vector<OnPath>& exercises_of_path();
std::string program_before(const Exercise& exercise);  // "line"; "" if it is not on the path

// The first from `after` on that has not passed, and builds on nothing that has not; if there is none, the first that has not
// passed; nullptr if all have. The path's come first, then the others by their numbers; after the last comes the first.
const Exercise* next_open(const State& state, const Exercise* after = nullptr);

// "On the path line.cpp comes first: ./examples/run line\n" of the first exercise after a program; else "".
std::string on_the_way(const Exercise& next);

// Where the student is: where they were, if that has not passed yet, or else the next one that is open.
const Exercise& current_of(const State& state);

// The function that the student has come to: the first that the last check found not right, or the exercise's first.
std::size_t stage_of(const Exercise& exercise, const State& state);

// By its id, number or file, with or without a path: "rms-norm", "10", "my/10_rms_norm.cpp". ValueError with the nearest.
const Exercise& exercise_called(const std::string& word);

}  // namespace gradus::exercises
