// exercises: the tutor. Write what a chapter explains; it says what is wrong, by name.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "core/check.h"
#include "core/machine/threads.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/diagnose.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/run.h"

using namespace gradus;
using namespace gradus::exercises;

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "--apart") return be_apart(words[1], words[2], std::stoul(words[3]));
  if (words.size() == 3 && words[0] == "check") {
    const Exercise& one = exercise(words[1]);
    const Compiled compiled = compile(one, words[2]);
    if (!compiled.error.empty()) {
      fmt::print("{}", compiled.error);
      return 1;
    }
    for (std::size_t s = 0; s < one.stages.size(); ++s) {
      const Run run = run_apart(compiled.library.string(), one, s);
      const Verdict v = verdict(one.stages[s], run);
      fmt::print("{}\n", screen(one, s, v, true));
    }
  }
  if (words.size() == 2 && words[0] == "stub") {
    std::ifstream file(answer_of(exercise(words[1])));
    std::stringstream text;
    text << file.rdbuf();
    fmt::print("{}", cut(text.str()));
  }
}
