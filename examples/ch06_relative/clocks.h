// A pair of numbers that RoPE turns, as a clock: two hands, a query's and a key's, on one face.
#pragma once

#include <string>
#include <vector>

namespace gradus::examples {

struct Clock {
  double query = 0, key = 0;  // angles of the hands, in radians from the right, counterclockwise
};

// SVG of one face. `before`: the hands as they were, grey; a screen reader is told `alt`, or nothing if it is empty.
std::string draw(const Clock& clock, const Clock* before = nullptr, const std::string& alt = "");

}  // namespace gradus::examples
