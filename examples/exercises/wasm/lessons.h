// The exercises that can be written in the page: those that need nothing of the library.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Lesson {
  Exercise exercise;
  std::vector<std::string> types;  // of the student's functions: "void (*)(In, Out)"
  std::vector<int> parameters;     // how many each has
  Functions functions;             // which call those of the student's module
};
const Lesson& lesson(const std::string& id);  // ValueError if there is none

// What makes a module of a student's file.
std::string driver(const Lesson& lesson);

}  // namespace gradus::exercises
