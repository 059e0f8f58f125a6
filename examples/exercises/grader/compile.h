// From a student's file to a library that run_apart can load.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

struct Compiled {
  std::filesystem::path library;
  std::string error;                       // as first_error says it; "" if there is none
  std::string refused;                     // why it is not run although it compiles: it calls what no answer needs
  std::shared_ptr<const void> files = {};  // with the last copy of this they are removed
  std::string warning = {};                // as first_warning says it: of a missing return, of a number that is not set
};
Compiled compile(const Exercise& exercise, const std::filesystem::path& file);

// The answer of an exercise, as the project has it.
std::filesystem::path answer_of(const Exercise& exercise);

}  // namespace gradus::exercises
