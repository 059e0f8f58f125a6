// The screen of the tutor, as a function of its state: no line is wider than the terminal, and none too many.
#pragma once

#include <cstddef>

#include "examples/exercises/tutor/tutor.h"
#include "examples/shared/terminal/styled.h"

namespace gradus::exercises {

struct TutorScreen {
  examples::Lines lines;
  std::size_t last_scroll = 0;  // how far there is something to see
};
TutorScreen draw(const Tutor& tutor, std::size_t columns, std::size_t rows);

}  // namespace gradus::exercises
