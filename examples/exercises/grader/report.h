// A verdict on one screen.
#pragma once

#include <string>

#include "examples/exercises/grader/diagnose.h"

namespace gradus::exercises {

// `stage` is the one that the verdict is of, counted from 0. At most 24 lines, without colours unless asked for. Unless it is
// `named`, what has a name is shown without it: the probe and the question.
std::string screen(const Exercise& exercise, std::size_t stage, const Verdict& verdict, bool coloured = false, bool named = true);

// The same for programs: one JSON object.
std::string as_json(const Exercise& exercise, std::size_t stage, const Verdict& verdict);

const char* word(Kind kind);  // "pass", "mistake" …

}  // namespace gradus::exercises
