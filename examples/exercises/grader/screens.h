// What a check of an answer says, function by function.
#pragma once

#include <string>

#include "examples/exercises/grader/diagnose.h"

namespace gradus::exercises {

// A line for a function that passed, or is right by another convention. `passed` below are those of the functions before.
std::string passed_line(const Exercise& exercise, std::size_t stage, const Verdict& verdict, bool coloured);

std::string failed_screen(const Exercise& exercise, std::size_t stage, const Verdict& verdict, const std::string& passed, bool coloured,
                          bool named = true);
std::string passed_screen(const Exercise& exercise, const std::string& passed, bool coloured);
std::string error_screen(const Exercise& exercise, const std::string& error, bool coloured);  // `error` as first_error says it

// What stands before all else of an answer that fails: `warning` as first_warning says it; "" if there is none.
std::string warning_text(const std::string& warning);

// The first lines of what an answer printed; "" if it printed nothing.
std::string printed_text(const std::string& printed);

}  // namespace gradus::exercises
