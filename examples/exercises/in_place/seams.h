// Where a student's functions go in a model, and whether it learns as with the library's.
#pragma once

#include <string>

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

// Has this exercise a place in a model?
bool has_place(const std::string& id);

// That model, in words: "a language model of two blocks". ValueError, here and below, if the exercise has no place.
const std::string& place_of(const std::string& id);

struct InPlace {
  bool same = false;             // all that was seen, to a millionth
  std::string first;             // what differs first: "block 0, norm 1", "the loss of step 7"
  Training mine, library;
};
InPlace in_place(const std::string& id, const Functions& mine, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
