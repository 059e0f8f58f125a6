// What becomes of an answer besides its verdict.
#pragma once

#include <filesystem>
#include <string>

#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/tutor/folder.h"
#include "examples/exercises/tutor/state.h"

namespace gradus::exercises {

// Shows what a file's functions do, if they pass: 0; else 1.
int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured);

// Trains a GPT of all functions that pass now, with the library's in the other places, beside the library's alone; says which parts
// are yours, and which of yours differ from the library's and are left out. 0 if it could be trained.
int mine_all(const Folder& folder, const State& state);

// Asks a file's functions, if they pass, what a chapter's program, "ch04", asks of the published mistakes, and shows all beside each
// other. 0 if they answer as is right, 1 if not.
int mine_in(const std::string& chapter, const Exercise& exercise, const std::filesystem::path& file, bool coloured);

// Judges a library of many answers to one exercise: the kind of verdict of each on a line, and in which function.
int judge_answers(const Exercise& exercise, const std::string& library);

}  // namespace gradus::exercises
