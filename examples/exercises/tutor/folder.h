// The folder in which a student writes: my/ in the project, or GRADUS_MY.
#pragma once

#include <filesystem>
#include <string>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

class Folder {
 public:
  Folder();  // ValueError if what is there is no folder

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file_of(const Exercise& exercise) const;
  bool has(const Exercise& exercise) const;

  // The exercise as it is given, and AGENTS.md if there is none. Never in place of a file: false if there is one. IoError
  // where nothing can be written.
  bool begin(const Exercise& exercise) const;

  // The same, in place of the file, which is kept: the name that it has then, or "" if there was none.
  std::string begin_anew(const Exercise& exercise) const;

 private:
  std::filesystem::path path_;
};

std::string stub_of(const Exercise& exercise);
std::string solution_of(const Exercise& exercise);  // the project's own answer

// A path as it is typed where we are.
std::string typed(const std::filesystem::path& path);

}  // namespace gradus::exercises
