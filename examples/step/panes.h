// The panes of the walk's screen. In ASCII cells are converted before they are aligned.
#pragma once

#include "examples/shared/terminal/styled.h"
#include "examples/step/stepper.h"

namespace gradus::examples {

// The tape as a tree around the current tensor, which is marked, as are those that are visited or pending.
Lines tree_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii);
StyledLine tree_rest(const Stepper& stepper, std::size_t height);  // "↑ 3 ↓ 2 more"; empty where all is shown

// What waits, in the engine's order, with the sums so far.
Lines pending_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii);

// The leaves with their gradients so far, in as many columns as there is room for.
Lines leaf_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii);

// The visit: what its rule says, with the numbers, where the contributions go, and the rule in C++.
StyledLine rule_title(const Stepper& stepper);
Lines rule_lines(const Stepper& stepper, std::size_t width, std::size_t height);

}  // namespace gradus::examples
