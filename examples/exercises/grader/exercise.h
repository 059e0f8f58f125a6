// What an exercise is: its functions as they should be, as they have been published with a mistake, and what tells them apart.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"

namespace gradus::exercises {

// Which of a stage's mistakes are made, by their flags, which answers/generate.cpp hands out.
using Made = std::bitset<64>;

// A wrong line, as somebody has published it or as people write it; or, if it is a convention, another way that is right as well.
struct Mistake {
  int flag;                 // what its stage's `with` asks for in Made
  std::string id;           // "norm/eps-outside-root"
  std::string question;     // what makes the student find it: "Where does ε stand: below the root, or beside it?"
  std::string line = {};    // what is wrong, in a few words; "" if a chapter's program has this mistake, and says it
  std::string source = {};  // where it was published, if it was
  bool convention = false;
  std::string asked = {};  // of a convention: what the task asks for in its place, if it says so
};

inline Made alone(const Mistake& mistake) { return Made().set(static_cast<std::size_t>(mistake.flag)); }

// What every right answer obeys, whatever its numbers are.
struct Law {
  std::string sentence;                                             // "each row of P sums to 1"
  std::function<std::string(const Probe&, const Outputs&)> broken;  // "" or how: "row 2 sums to 1.7"
  std::string question = {};                                        // what leads from the law to the line that breaks it
};

// A part of the function: all may be right but for it.
struct Piece {
  std::string name;                                                      // "dL/da_o"
  std::function<bool(const Probe&, const Outputs&)> alone_may_be_wrong;  // is all else as it should be, whatever this part gave?
  std::string question;
};

// What an answer throws that says these words, and what leads on.
struct Thrown { std::string words, question; };

// One function of an exercise.
struct Stage {
  std::string function = {};                             // its name: "rms_norm"
  Function right = {};                                   // the library's
  std::function<Outputs(const Probe&, Made)> with = {};  // with these mistakes; with none it is right, too
  std::vector<Mistake> mistakes = {};
  std::vector<Probe> probes = {};  // the smallest first: it is the one that is shown
  std::vector<Law> laws = {};
  std::vector<Piece> pieces = {};
  std::vector<std::vector<std::string>> same = {};  // mistakes that no probe can tell apart, with the reason in a comment
  // What is wrong first in an answer that is no known mistake, "read is 1 after call 1, not 2."; "" if nothing is.
  std::function<std::string(const Probe&, const Outputs& got, const Outputs& right)> wrong_first = {};
  std::string wrong_first_question = {};
  // Does an answer throw this that goes on with the wrong outputs of a mistake? ("reshape: cannot turn …", of a shape that is wrong)
  std::function<bool(const Probe&, const Outputs& wrong, const std::string& thrown)> throws = {};
  std::vector<Thrown> thrown = {};      // questions for what else an answer may throw, the first that fits
  std::vector<std::string> hints = {};  // two to four: the first asks, the last is the formula
};

// What several functions must choose alike: the ways to do it, as they are said of a function.
struct Choice {
  struct Way {
    std::string convention;  // its id; "" for what the stub says
    std::string words;       // "turns halves"
  };
  std::vector<std::string> functions;
  std::vector<Way> ways;  // the stub's first
};

struct Exercise {
  int number;                      // of its file: 10_rms_norm.cpp
  std::string id;                  // "rms-norm"
  std::string title;               // what is to be written, in a few words
  std::string section;             // of the book: "ch04.md#norm-rms"
  std::vector<std::string> needs;  // ids
  int minutes;
  std::string done;  // what was hard about it, for who has done it
  std::vector<Stage> stages;
  std::vector<Choice> choices = {};
  std::vector<std::string> also = {};  // further sections that it needs
};

// All, in the order of their numbers.
const std::vector<Exercise>& all_exercises();
const Exercise& exercise(const std::string& id);  // ValueError if there is none

std::string file_of(const Exercise& exercise);  // "10_rms_norm.cpp"

}  // namespace gradus::exercises
