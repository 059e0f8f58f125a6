// A student's file, as text.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

std::vector<std::string> lines_of(const std::string& text);

// One of the lines in an answer that a student does not see: //! and what else people write, //~ //| //? //= //@ //+; see answers/generate.cpp.
bool is_of_mistakes(const std::string& line);

// An answer as a student gets it, with what is to be written cut out.
std::string cut(const std::string& answer);

// "rms_norm", of 10_rms_norm.cpp.
std::string name_in_code(const Exercise& exercise);

// What makes the student's functions one of Functions: a source, driver.cpp, that includes `file`.
std::string driver(const Exercise& exercise, const std::string& file);

// The first error in what a compiler said of driver.cpp, which includes `file`, and where it is, in at most 12 lines. One in the
// driver's own lines means that a function is not there, or has other parameters.
std::string first_error(const Exercise& exercise, const std::string& output, const std::string& file);

// The first warning about a line of `file` itself, in at most 3 lines; "" if there is none.
std::string first_warning(const std::string& output, const std::string& file);

}  // namespace gradus::exercises
