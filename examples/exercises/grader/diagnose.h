// What a wrong answer is: a known mistake, two of them, what is right but for a factor, a broken law, or none of these.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/grader/run.h"

namespace gradus::exercises {

enum class Kind {
  pass,
  convention,  // right in another way, which is named
  not_written,
  does_not_compile,
  failed,  // it threw, crashed, hung …
  not_a_number,
  mistake,
  two_mistakes,
  disagreement,  // functions that are right by conventions which do not belong together
  relation,
  law,
  unknown,
};

struct Verdict {
  Kind kind = Kind::pass;
  std::string sentence = {};          // what is wrong, in one sentence
  std::string question = {};          // what leads on, if anything does
  std::vector<std::string> ids = {};  // of the mistakes
  const Probe* probe = nullptr;       // the smallest on which it is wrong, with
  Outputs got = {}, expected = {};
  std::string seen = {};  // what can be said before the name of a mistake is: "It is wrong on 2 of 5 probes."
};

bool passes(const Verdict& verdict);    // it passes, or is right by another convention
bool has_name(const Verdict& verdict);  // it is a known mistake, or two

// What the outputs on all of the stage's probes show.
Verdict diagnose(const Stage& stage, const std::vector<Outputs>& outputs);

// The same for a run that may have ended before that.
Verdict verdict(const Stage& stage, const Run& run);

}  // namespace gradus::exercises
