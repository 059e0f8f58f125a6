// The screen of the stepper, as a function of its state: no line is wider than the terminal, none is missing.
#pragma once

#include "examples/shared/terminal/styled.h"
#include "examples/step/stepper.h"

namespace gradus::examples {

struct ScreenSize { std::size_t columns = 80, rows = 24; };
inline constexpr ScreenSize kLeastScreen{80, 24};

struct Screen {
  Lines lines;                                // each of the terminal's width
  std::size_t last_row = 0, last_column = 0;  // how far the page can be scrolled
};

Screen draw(const Stepper& stepper, ScreenSize size, bool ascii);

// What the pages beside the walk show, all of it: step_pages.cpp.
struct PageText {
  std::string title;
  Lines lines;
};
PageText page_text(const Stepper& stepper, std::size_t width, bool ascii);

// The ops that the rules of the current visit are made of: step_inside.cpp.
Lines inside_lines(const Replay& replay, const inspect::TracedTensor& tensor, std::size_t width);

}  // namespace gradus::examples
