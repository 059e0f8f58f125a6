// Where a student's functions go in the language model, and whether it learns as with the library's.
#pragma once

#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/in_place/model.h"

namespace gradus::exercises {

// Has this exercise a place in the model?
bool has_place(const std::string& id);

// The library's parts, with the student's in the place of theirs. ValueError if the exercise has no place.
Parts with_mine(const std::string& id, const Functions& mine);

struct InPlace {
  bool same = false;          // every loss, to a millionth
  int step = 0;               // of the first loss that differs
  double mine = 0, library = 0;  // that loss, or the last
  std::string first;          // what differed first in the first step
};
InPlace in_place(const std::string& id, const Functions& mine, int steps, const std::function<void(int, double)>& tell = {});

}  // namespace gradus::exercises
