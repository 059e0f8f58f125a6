// The project's own answers to the exercises, as functions.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"

namespace gradus::test {

struct Answer {
  std::string id;
  exercises::Functions functions;
};
const std::vector<Answer>& answers();

}  // namespace gradus::test
