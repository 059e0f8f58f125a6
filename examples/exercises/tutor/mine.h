// What becomes of an answer besides its verdict.
#pragma once

#include <filesystem>
#include <string>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

// Puts a file's functions, if they pass, in the place of the library's in a small model: 200 steps with each. 0 if all is the same
// to a millionth; else it says what differs first, and gives 1.
int mine(const Exercise& exercise, const std::filesystem::path& file, bool coloured);

// Asks a file's functions, if they pass, what a chapter's program, "ch04", asks of the published mistakes, and shows all beside each
// other. 0 if they answer as is right, 1 if not.
int mine_in(const std::string& chapter, const Exercise& exercise, const std::filesystem::path& file, bool coloured);

// Of a library of many answers to one exercise: the kind of verdict of each on a line, and in which function.
int judge_answers(const Exercise& exercise, const std::string& library);

}  // namespace gradus::exercises
