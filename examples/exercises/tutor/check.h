// An answer checked: compiled, and run function by function until the first that fails.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "examples/exercises/grader/diagnose.h"

namespace gradus::exercises {

struct Checked {
  bool passed = false;  // all functions of the exercise
  Kind kind = Kind::pass;
  std::size_t stage = 0;                      // of the function that the verdict is of
  std::string text, json;                     // for people, for programs
  std::vector<std::string> conventions = {};  // of its functions that are right in another way: "rope: pair k is …"
  std::string asked = {};                     // the text without the name of a mistake, if there is one;
  std::string mistake = {};                   // and what tells that one from others
};

// ValueError for what is no file, IoError where nothing can be compiled.
Checked check_answer(const Exercise& exercise, const std::filesystem::path& file, bool coloured);

// The same in a process beside this one, so that keys are heard meanwhile.
class CheckBeside {
 public:
  CheckBeside(const Exercise& exercise, const std::filesystem::path& file, bool coloured);
  ~CheckBeside();  // ends it
  CheckBeside(const CheckBeside&) = delete;
  CheckBeside& operator=(const CheckBeside&) = delete;

  bool ended();                                      // has it come to an end by now?
  const Checked& result() const { return result_; }  // once it has

 private:
  void read_result();

  int process_ = 0, pipe_ = -1;
  std::string bytes_;
  Checked result_;
};

}  // namespace gradus::exercises
