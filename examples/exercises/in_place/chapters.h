// A student's functions where a chapter's program has published mistakes: asked the same as those.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"
#include "examples/shared/report/published.h"

namespace gradus::exercises {

// What the chapter asks, of what is right, of the student's ("yours"), and of those published mistakes that it shows. `chapter` is
// "ch04". ValueError if it asks nothing of this exercise.
std::vector<examples::Answer> asked_in(const std::string& chapter, const std::string& id, const Functions& mine);

// ValueError as above.
void check_asked_in(const std::string& chapter, const std::string& id);

}  // namespace gradus::exercises
